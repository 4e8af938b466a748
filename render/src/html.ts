// Strings that cannot break out of their place, and the one kind of table that signatures are made of.

/** Anything but printable ASCII without meaning in HTML. Without the flag `u`, which would make it several times slower. */
const special = /[^ !#-%(-;=?-~]/
const each = /\r\n|[&<>"'\p{Cc}]/gu
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

/** Most values need nothing done, and the test is cheap. */
export const isPlain = (text: string): boolean => !special.test(text)

/** Text between tags; line breaks stay line breaks. */
export const escapeText = (text: string): string =>
  special.test(text) ? text.replace(each, found => replacements[found] ?? '') : text

const attributes: Readonly<Record<string, string>> = { ...replacements, '\r\n': ' ', '\r': ' ', '\n': ' ' }

/** The value of an attribute, in double quotes. */
export const escapeAttribute = (text: string): string =>
  special.test(text) ? text.replace(each, found => attributes[found] ?? '') : text

/** Text as plain text: line breaks and nothing else that cannot be seen. */
export const plainText = (text: string): string =>
  special.test(text)
    ? text
        .replace(/\r\n?/g, '\n')
        .replace(/\t/g, ' ')
        .replace(/(?!\n)\p{Cc}/gu, '')
    : text

/** The same on one line. */
export const oneLine = (text: string): string => plainText(text).replaceAll('\n', ' ')

/** Outlook on phones drops the attributes, other clients the style: both, on every table. */
export const tableOpen = (attributes = '', css = ''): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${attributes} style="border-collapse:collapse;border-spacing:0${css && `;${css}`}">`

/** For a cell that is only there for its size. */
export const hollow = 'font-size:0;line-height:0'
