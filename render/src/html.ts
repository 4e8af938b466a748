// Escaping for HTML and plain text, and the table element that all signatures consist of.

/**
 * Matches every character except printable ASCII that has no meaning in HTML. Without the flag `u`, which would make it
 * several times slower.
 */
const special = /[^ !#-%(-;=?-~]/
const toReplace = /\r\n|[&<>"'\p{Cc}]/gu
const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\t': ' ',
  '\r\n': '<br>',
  '\r': '<br>',
  '\n': '<br>',
}

/** True if the text needs no escaping, as most values. The test is cheap. */
export const isPlain = (text: string): boolean => !special.test(text)

/** Escapes text between tags. Line breaks become `<br>`. */
export const escapeText = (text: string): string =>
  special.test(text) ? text.replace(toReplace, match => replacements[match] ?? '') : text

const inAttributes: Readonly<Record<string, string>> = { ...replacements, '\r\n': ' ', '\r': ' ', '\n': ' ' }

/** Escapes the value of an attribute in double quotes. Line breaks become blanks. */
export const escapeAttribute = (text: string): string =>
  special.test(text) ? text.replace(toReplace, match => inAttributes[match] ?? '') : text

/** For plain text: removes control characters, keeps line breaks. */
export const plainText = (text: string): string =>
  special.test(text)
    ? text
        .replace(/\r\n?/g, '\n')
        .replace(/\t/g, ' ')
        .replace(/(?!\n)\p{Cc}/gu, '')
    : text

/** Plain text on one line. */
export const oneLine = (text: string): string => plainText(text).replaceAll('\n', ' ')

/** Every table has attributes and style: Outlook on phones drops the attributes, other clients drop the style. */
export const tableOpen = (attributes = '', css = '', borders: 'collapse' | 'separate' = 'collapse'): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${attributes} style="border-collapse:${borders};border-spacing:0${css && `;${css}`}">`

/** The CSS of a cell that only takes up space. Word makes the line higher, unless the height is exact. */
export const spacerCss = 'font-size:0;mso-line-height-rule:exactly;line-height:0'
