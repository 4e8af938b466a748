// Reads single lines of a message's header, without taking the message apart.

/** A header of normal mail is some kB; what is behind this is not searched. */
const maxHeaderBytes = 512 * 1024

/** Where the header ends. */
function headerEnd(message: Buffer): number {
  const start = message.subarray(0, maxHeaderBytes)
  const ends = [start.indexOf('\r\n\r\n'), start.indexOf('\n\n')].filter(at => at !== -1)
  return Math.min(start.length, ...ends)
}

/** The values of all lines with this name, without those that are folded onto further lines. */
export function headerValues(message: Buffer, name: string): string[] {
  const start = `${name.toLowerCase()}:`
  return message
    .toString('latin1', 0, headerEnd(message))
    .split('\n')
    .filter(line => line.length >= start.length && line.slice(0, start.length).toLowerCase() === start)
    .map(line => line.slice(start.length).trim())
}
