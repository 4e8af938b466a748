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

/** A rule: all of these words, and the program. The first rule that matches decides. */
type Rule = readonly [words: readonly string[], program: ProgramName]

/** The page on which the link was clicked says more than the browser. */
const byReferrer: readonly Rule[] = [
  [['https://mail.google.com/'], 'gmail'],
  [['https://outlook.office.com/'], 'outlook_web'],
  [['https://outlook.office365.com/'], 'outlook_web'],
  [['https://outlook.live.com/'], 'outlook_web'],
  [['https://outlook.cloud.microsoft/'], 'outlook_web'],
]

const byUserAgent: readonly Rule[] = [
  [['Thunderbird/'], 'thunderbird'],
  [['Outlook-iOS'], 'outlook_phone'],
  [['Outlook-Android'], 'outlook_phone'],
  [['OutlookMobile'], 'outlook_phone'],
  [['Microsoft Outlook'], 'classic_outlook'],
  [['MSOffice'], 'classic_outlook'],
  [['Outlook'], 'new_outlook'],
  [['iPhone'], 'apple_mail'],
  [['iPad'], 'apple_mail'],
  [['Android'], 'gmail'],
  // Edge comes with Windows, like Outlook; a person who has chosen Chrome or Firefox more often has Gmail.
  [['Windows', 'Edg/'], 'new_outlook'],
  // Other browsers on a Mac have no `Version/`.
  [['Macintosh', 'Version/', 'Safari/'], 'apple_mail'],
  [['Linux', 'Firefox/'], 'thunderbird'],
]

const findIn = (rules: readonly Rule[], text: string): ProgramName | undefined =>
  rules.find(([words]) => words.every(word => text.includes(word)))?.[1]

/** Gmail where nothing is known: it has the most users. */
export const likelyProgram = (userAgent: string, referrer: string): ProgramName =>
  findIn(byReferrer, referrer.slice(0, 200)) ?? findIn(byUserAgent, userAgent.slice(0, 500)) ?? 'gmail'
