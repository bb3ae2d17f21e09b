/** The longer texts of the play: what a team writes that releases a program called Harbor. */
export const upgradePasses = `The upgrade from 1.3.4 passes on all three Windows runners. One thing I would like a second pair of eyes on: the migration rewrites \`index.db\` in place, so a crash half-way leaves nothing to go back to.

\`\`\`text
before    1.3.4     index.db     412 MB
migrate   2 m 11 s               peak 1.1 GB
after     1.4.0     index.db     388 MB
\`\`\``;

export const killedElevenTimes = `Killed eleven times at random places. It came back each time, the longest took 40 s:

\`\`\`rust
let keep = size < 2 * GIB || opts.keep;
if keep {
    db.copy_to(&path.with_extension("old"))?;
}
db.migrate()?; // a crash here leaves .old
\`\`\``;

export const reviewed = `Read all of the sync engine's changes. **No blocker.** Two notes:

1. \`Session::resume\` retries without a limit when the clock jumps back. A laptop that wakes up does that. I would cap it at five and say so in the log.
2. The new field \`chunk_hint\` is read but never written; either it goes, or REL-9 gets it a writer.`;

export const whichKey = `The signing key for 1.4 expires on 2 December. Which key signs the release?

Both keys are on the build machine. The new one was published to the key servers on Monday; 6 % of installations have not fetched it yet.`;

export const brief = `# Harbor 1.4

We ship **on Friday, 10:00**. Whoever reads only this page knows what we ship, in which order, and who decides.

## What goes out

- First sync three times faster (measured on ten laptops, not on the build machine)
- End-to-end encryption for new folders. Old folders stay as they are; converting them is 1.5
- Upgrade from 1.2 and 1.3 in place, with a way back

## In this order

1. Branch cut, strings frozen
2. Sync engine reviewed by somebody who did not write it
3. Windows upgrade survives being killed
4. Installers signed, signatures up before the index
5. Canary day at the three largest servers

## Who decides what

| Question | Decides |
| --- | --- |
| What goes in after the freeze | mara, and nothing does |
| Wording towards users | ines |
| Anything about keys | mara or jonas, as an ask on this board |

## If it goes wrong

Put the old index back, in one command, and say so here, urgently:

\`\`\`sh
harbor-release rollback 1.3.4   # takes 90 s on all mirrors
\`\`\`
`;

const notesEnd = `
## Known issues

- On battery, the first sync after sleep can take a minute.
- Two folders of the same name on an SD card are merged.
`;

export const notes = [
  `# Harbor 1.4

Harbor 1.4 makes the first sync faster and encrypts your folders end to end.

## Highlights

- First sync
- Encryption

## Upgrading

From 1.3: install over it.
${notesEnd}`,
  `# Harbor 1.4

Harbor 1.4 makes the first sync much faster and encrypts your folders
end to end.

## Highlights

- First sync three times faster on laptops
- Encryption of folders, end to end

## Upgrading

From 1.3: install over it.

Servers need 1.3.2 or later. The guide for servers behind a proxy is in the
manual, under *Running your own*.
${notesEnd}`,
  `# Harbor 1.4

Harbor 1.4 makes the first sync three times faster, and encrypts new folders
end to end. Folders you have today stay as they are until you convert them.

## Highlights

- First sync three times faster on laptops
- Encryption of new folders, end to end

## Upgrading

From 1.2 or 1.3: install over it. The old index is kept beside the new one for a
week (below 2 GB), so a crash half-way loses nothing:

\`\`\`sh
harbor migrate --check       # says what it would do, and how long it takes
harbor migrate --keep=off    # if the disk is full
\`\`\`

Servers need 1.3.2 or later. The guide for servers behind a proxy is in the
manual, under *Running your own*.

## Known issues

- On battery, the first sync after sleep can take a minute (about one laptop in nine).
- Two folders of the same name on an SD card are merged (rare).
`,
] as const;

export const announcement = `# Harbor 1.4 is here

Your first sync is three times faster, and new folders are encrypted end to end.
`;

export const proxyGuide = `# Servers behind a proxy

Caddy and nginx are written and tried. Traefik comes next.

\`\`\`
reverse_proxy 127.0.0.1:7400
\`\`\`
`;

export const measured =
  "runner,before_mb,after_mb,seconds\n1,412,388,131\n2,398,377,127\n3,421,394,140\n";

export const keyPage = `<!doctype html>
<title>Key rotation</title>
<h1>Key rotation, December</h1>
<p>The old key signs until the 2nd, both until the 9th, then the new one alone.</p>
`;
