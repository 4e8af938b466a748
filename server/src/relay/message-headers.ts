// Reads single lines of a message's header, without taking the message apart.

/** A header of normal mail is some kB; what is behind this is not searched. */
const maxHeaderBytes = 512 * 1024

/** Where the header ends. */
function headerEnd(message: Buffer): number {
  const start = message.subarray(0, maxHeaderBytes)
  const end = start.indexOf('\r\n\r\n')
  // Only above the first end: below it, a message of 512 kB would be searched for nothing.
  const header = end === -1 ? start : start.subarray(0, end)
  const earlier = header.indexOf('\n\n')
  return earlier === -1 ? header.length : earlier
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

/** Takes all lines with this name out, in the memory of the message: the header moves towards the body. */
export function withoutHeader(message: Buffer, name: string): Buffer {
  const start = `${name.toLowerCase()}:`
  const last = headerEnd(message)
  // With the line end of the last line, so that no empty line stays when that one is taken out.
  const end = last < Math.min(message.length, maxHeaderBytes) ? message.indexOf('\n', last) + 1 : last
  const lines = message.toString('latin1', 0, end).split('\n')
  let isLeftOut = false
  const kept = lines.filter(line => {
    const isFolded = line.startsWith(' ') || line.startsWith('\t')
    isLeftOut = isFolded ? isLeftOut : line.slice(0, start.length).toLowerCase() === start
    return !isLeftOut
  })
  if (kept.length === lines.length) return message
  const header = kept.join('\n')
  message.write(header, end - header.length, 'latin1')
  return message.subarray(end - header.length)
}
