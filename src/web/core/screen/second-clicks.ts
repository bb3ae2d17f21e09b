/**
 * Lets the second click of a double click do nothing where it meets another button or link than the first: what has come
 * under the pointer meanwhile, such as the next ask, was not read by anybody.
 */
export function refuseHastyClicks(): void {
  let first: Element | null = null;
  document.addEventListener(
    "click",
    (event) => {
      const on = (event.target as Element).closest("a, button");
      if (event.detail < 2) first = on;
      else if (on !== first) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    true,
  );
}
