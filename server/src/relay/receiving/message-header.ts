// Reads single lines of a message's header, without taking the message apart.

/** A header of normal mail is some kB; what is behind this is not searched. */
export const maxHeaderBytes = 512 * 1024

/** Start of the empty line that ends the header. Its line ends can be of two kinds. */
function headerEnd(message: Buffer): number {
  const start = message.subarray(0, maxHeaderBytes)
  if (start[0] === 10 || (start[0] === 13 && start[1] === 10)) return 0
  const end = start.indexOf('\n\r\n')
  // Only above the first end: below it, a message of 512 kB would be searched for nothing.
  const header = end === -1 ? start : start.subarray(0, end + 1)
  const earlier = header.indexOf('\n\n')
  return earlier === -1 ? header.length : earlier + 1
}

const isFolded = (line: string): boolean => line.startsWith(' ') || line.startsWith('\t')

/** Mail systems put up with white space before the colon. `name` is in lower case. */
function isNamed(line: string, name: string): boolean {
  if (line.slice(0, name.length).toLowerCase() !== name) return false
  return /^[ \t]*:/.test(line.slice(name.length))
}

export class MessageHeader {
  readonly #message: Buffer
  readonly #end: number
  /** With CR where they have it. Behind the last one there is an empty text, unless it has no line end. */
  readonly #lines: readonly string[]

  constructor(message: Buffer) {
    this.#message = message
    this.#end = headerEnd(message)
    this.#lines = message.toString('latin1', 0, this.#end).split('\n')
  }

  /** Behind the empty line. A header that is cut ends nowhere: behind its last byte. */
  get bodyAt(): number {
    const lineBreak = this.#message.indexOf(10, this.#end)
    return lineBreak === -1 ? this.#message.length : lineBreak + 1
  }

  /** The values of all fields with this name, each in one line. */
  values(field: string): string[] {
    const name = field.toLowerCase()
    return this.#lines.flatMap((line, index) => {
      if (!isNamed(line, name)) return []
      let next = index + 1
      while (isFolded(this.#lines[next] ?? '')) next++
      const value = [line.slice(line.indexOf(':') + 1), ...this.#lines.slice(index + 1, next)]
      return [value.join('').replaceAll('\r', '').trim()]
    })
  }

  /** The message without these fields, in the same memory: the rest of the header moves towards the body. */
  messageWithout(fields: Iterable<string>): Buffer {
    const names = [...fields].map(field => field.toLowerCase())
    let isLeftOut = false
    const lines = this.#lines.filter(line => {
      if (!isFolded(line)) isLeftOut = names.some(name => isNamed(line, name))
      return !isLeftOut
    })
    if (lines.length === this.#lines.length) return this.#message
    const header = lines.join('\n')
    const start = this.#end - header.length
    this.#message.write(header, start, 'latin1')
    return this.#message.subarray(start)
  }
}
