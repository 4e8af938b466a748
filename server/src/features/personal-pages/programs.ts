// The mail programs that the page explains, and which of them the visitor likely uses.

export const programNames = [
  'gmail',
  'outlook_web',
  'new_outlook',
  'classic_outlook',
  'outlook_phone',
  'apple_mail',
  'thunderbird',
] as const
export type ProgramName = (typeof programNames)[number]

/** The first rule that matches decides. The page on which the link was clicked says more than the browser. */
const byReferrer: readonly (readonly [RegExp, ProgramName])[] = [
  [/^https:\/\/mail\.google\.com\//, 'gmail'],
  [/^https:\/\/outlook\.(?:office|office365|live|cloud)\.(?:com|microsoft)\//, 'outlook_web'],
]

const byUserAgent: readonly (readonly [RegExp, ProgramName])[] = [
  [/Thunderbird\//, 'thunderbird'],
  [/Outlook-(?:iOS|Android)|OutlookMobile/i, 'outlook_phone'],
  [/Microsoft Outlook|MSOffice/, 'classic_outlook'],
  [/Outlook/, 'new_outlook'],
  [/iPhone|iPad/, 'apple_mail'],
  [/Android/, 'gmail'],
  // Edge comes with Windows, like Outlook; a person who has chosen Chrome or Firefox more often has Gmail.
  [/Windows.*Edg\//, 'new_outlook'],
  [/Macintosh.*Version\/[\d.]+ Safari/, 'apple_mail'],
  [/Linux.*Firefox\//, 'thunderbird'],
]

/** Gmail where nothing is known: it has the most users. */
export function likelyProgram(userAgent: string, referrer: string): ProgramName {
  const find = (rules: typeof byReferrer, text: string) => rules.find(([form]) => form.test(text))?.[1]
  return find(byReferrer, referrer.slice(0, 200)) ?? find(byUserAgent, userAgent.slice(0, 500)) ?? 'gmail'
}
