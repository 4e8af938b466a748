import type { BodyRange } from './body-place.ts'

/** The element around every signature that the relay writes. Nothing but a second pass of a relay reads it. */
export const wrapperStart = '<div data-signoff="signature">'
export const wrapperEnd = '</div>'

/** True if the host in a link ends before this character. A longer name, such as example.com.au, is another host. */
const endsHost = (char: string | undefined): boolean => char === undefined || !/[a-z0-9.-]/.test(char)

function linksTo(text: string, host: string): boolean {
  const link = `//${host.toLowerCase()}`
  for (let at = text.indexOf(link); at >= 0; at = text.indexOf(link, at + link.length))
    if (endsHost(text[at + link.length])) return true
  return false
}

/** True if the text of the sender holds a signature of ours: that of a relay, or a tracked link of another channel. */
export const hasOwnSignature = (
  body: Buffer,
  own: readonly BodyRange[],
  linkHosts: readonly string[],
): boolean =>
  own.some(({ start, end }) => {
    const text = body.toString('latin1', start, end).toLowerCase()
    return text.includes('data-signoff="signature"') || linkHosts.some(host => linksTo(text, host))
  })
