/** Removes comments in parentheses and quoted names, which can hold commas and angle brackets. */
function withoutNames(text: string): string {
  let bare = ''
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (char === '\\' && (isQuoted || depth > 0)) at++
    else if (char === '"' && depth === 0) {
      isQuoted = !isQuoted
      // A quoted local part is kept: "a b"@example.com. What is in it does not matter, as no mailbox of ours has one.
      bare += '"'
    } else if (isQuoted) continue
    else if (char === '(') depth++
    else if (char === ')' && depth > 0) depth--
    else if (depth === 0) bare += char
  }
  return bare
}

/** More are not needed to tell whether a message leaves the company, and a header cannot hold many more. */
const mostAddresses = 10_000

/** `Ada <ada@example.com>` or `ada@example.com`. A group begins with its name and a colon. */
function addressIn(entry: string): string {
  const open = entry.lastIndexOf('<')
  if (open < 0) return entry.slice(entry.lastIndexOf(':') + 1).trim()
  const close = entry.indexOf('>', open)
  return entry.slice(open + 1, close < 0 ? undefined : close).trim()
}

/** The addresses of a From, To or Cc header, as written. Groups are read as their members. */
export const headerAddresses = (header: string): string[] =>
  withoutNames(header)
    .split(/[,;]/, mostAddresses)
    .map(addressIn)
    .filter(address => /^[^\s@"]+@[^\s@"]+$/.test(address))
