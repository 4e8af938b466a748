/** Bytes of the message from `start` to `end` are replaced. */
export interface ByteEdit {
  readonly start: number
  readonly end: number
  readonly bytes: Buffer
}

/** The message with the edits, as slices of it and the new bytes between them. The edits must not overlap. */
export function applyEdits(message: Buffer, edits: readonly ByteEdit[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (const { start, end, bytes } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end < start) throw new Error('edits of a message overlap')
    chunks.push(message.subarray(at, start), bytes)
    at = end
  }
  chunks.push(message.subarray(at))
  return chunks.filter(chunk => chunk.length > 0)
}
