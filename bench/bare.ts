/** The least a compiled program can do. */
console.log("0.1.0");
