// Draws a line around the blocks that differ, in HTML whose blocks have marks.
const line = 'outline:2px solid #4f46e5;outline-offset:-1px;'

/** A cell with the marks of the blocks that begin in it. All cells of the renderer have a style. */
const cell = /(<td\b[^>]*? style=")([^"]*"[^>]*>)((?:<!--block [^>]*-->)+)/g
const mark = /<!--block (.+?)-->/g
const comment = /<!--[\s\S]*?-->/g

/** Without any marks: only the lines are left. */
export const withDifferences = (html: string, ids: ReadonlySet<string>): string =>
  html
    .replace(cell, (whole, before: string, after: string, marks: string) =>
      [...marks.matchAll(mark)].some(([, id]) => ids.has(id ?? '')) ? before + line + after + marks : whole,
    )
    .replace(comment, '')
