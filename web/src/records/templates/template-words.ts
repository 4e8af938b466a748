// The words of the templates in other languages: names of blocks, and texts that all people see. The API has the English
// ones. A text that is not named here stays as it is, such as the address of the company.
import type { Content } from '@signoff/sdk'
import { builtInFields } from '#texts/built-in-fields.ts'
import { type Language, languages } from '#texts/languages.ts'

type Words = Readonly<Record<string, string>>

export const templateWords: Readonly<Partial<Record<Language, Words>>> = {
  de: {
    Signature: 'Signatur',
    Portrait: 'Porträt',
    Accent: 'Akzent',
    Name: 'Name',
    'Contact data': 'Kontaktdaten',
    Website: 'Website',
    'Social profiles': 'Soziale Profile',
    Logo: 'Logo',
    Card: 'Karte',
    Line: 'Linie',
    Panel: 'Farbfläche',
    Heart: 'Herz',
    Address: 'Adresse',
    'Campaign banner': 'Kampagnenbanner',
    'Contact card': 'Kontaktkarte',
    'Legal notice': 'Rechtlicher Hinweis',
    'Save my contact': 'Kontakt speichern',
    'Book a meeting': 'Termin buchen',
    'Book an appointment': 'Termin vereinbaren',
    'Find a time': 'Termin finden',
    'Office hours': 'Sprechzeiten',
    T: 'T',
    M: 'M',
    E: 'E',
    Direct: 'Durchwahl',
    Web: 'Web',
    Office: 'Büro',
    Practice: 'Praxis',
    'On call': 'Bereitschaft',
    'Visit us': 'Anschrift',
    Desk: 'Telefon',
    Mobile: 'Mobil',
    'This message is confidential and may be legally privileged. If you are not the intended recipient, please tell the sender and delete it.':
      'Diese Nachricht ist vertraulich. Sollten Sie nicht der richtige Empfänger sein, informieren Sie bitte den Absender und löschen Sie sie.',
    'Please do not send medical information by email. In an emergency, call your local emergency number.':
      'Bitte senden Sie keine medizinischen Angaben per E-Mail. Im Notfall wählen Sie den Notruf.',
  },
}

interface Part {
  readonly displayName?: string
  readonly tokens?: readonly { readonly value?: string }[]
  readonly children?: readonly Part[]
}

function translatedPart(part: Part, words: Words): Part {
  const { displayName: name, tokens, children } = part
  return {
    ...part,
    ...(name !== undefined && { displayName: words[name] ?? name }),
    ...(tokens && {
      tokens: tokens.map(token => {
        const value = token.value === undefined ? undefined : words[token.value]
        return value === undefined ? token : { ...token, value }
      }),
    }),
    ...(children && { children: children.map(child => translatedPart(child, words)) }),
  }
}

export function translatedTemplate(content: Content, language: Language): Content {
  const words = templateWords[language]
  if (!words) return content
  return translatedPart(content as Part, { ...builtInFields[language], ...words }) as Content
}

/** A template with its content in the language of the page. */
export const withOwnWords = <Template extends { readonly content: Content }>(
  template: Template,
): Template => ({
  ...template,
  content: translatedTemplate(
    template.content,
    languages.find(each => each === document.documentElement.lang) ?? 'en',
  ),
})
