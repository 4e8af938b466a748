// The HTML of a signature, from the clipboard or from a file.

/** The service refuses more. */
export const maxSignatureHtml = 256 * 1024
/** Larger files are no signatures; they are not read at all. */
const maxFileSize = 4_000_000

const isHtml = (text: string): boolean =>
  /^\s*<[a-z!]/i.test(text) && /<\/(table|div|p|span|a|td)>/i.test(text)

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')

/** Rich text of a mail program, or HTML that was copied as text. Plain text keeps its lines. */
export function htmlOfClipboard(clipboard: DataTransfer): string {
  const [rich, plain] = [clipboard.getData('text/html'), clipboard.getData('text/plain')]
  return htmlOfText(isHtml(plain) || rich === '' ? plain : rich).trim()
}

export const htmlOfText = (text: string): string => (/<[a-z!]/i.test(text) ? text : escaped(text))

/** Outlook writes its files in the character set of Windows, and names it in the file. */
function charsetOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4096))
  return /charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1] ?? 'utf-8'
}

/** Undefined: not the file of a signature. */
export async function htmlOfFile(file: File): Promise<string | undefined> {
  const isText = /\.(html?|txt)$/i.test(file.name) || file.type === 'text/html'
  if (!isText || file.size > maxFileSize) return undefined
  const bytes = new Uint8Array(await file.arrayBuffer())
  try {
    return htmlOfText(new TextDecoder(charsetOf(bytes)).decode(bytes)).trim()
  } catch {
    // A character set that browsers do not know.
    return htmlOfText(new TextDecoder().decode(bytes)).trim()
  }
}
