// The words of the templates in other languages: names of blocks, and texts that all people see. The API has the English
// ones. A text that is not named here stays as it is, such as the address of the company.
import type { Content, Template } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { builtInFields } from '#texts/built-in-fields.ts'
import { type Language, languages } from '#texts/languages.ts'

type Translations = Readonly<Record<string, string>>

export const templateMessages: Readonly<Partial<Record<Language, Translations>>> = {
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

function translatedPart(part: Part, translations: Translations): Part {
  const { displayName: name, tokens, children } = part
  return {
    ...part,
    ...(name !== undefined && { displayName: translations[name] ?? name }),
    ...(tokens && {
      tokens: tokens.map(token => {
        const value = token.value === undefined ? undefined : translations[token.value]
        return value === undefined ? token : { ...token, value }
      }),
    }),
    ...(children && { children: children.map(child => translatedPart(child, translations)) }),
  }
}

export function translatedTemplate(content: Content, language: Language): Content {
  const translations = templateMessages[language]
  if (!translations) return content
  return translatedPart(content as Part, { ...builtInFields[language], ...translations }) as Content
}

/** A template with its content in the language of the page. */
export const inPageLanguage = <Template extends { readonly content: Content }>(
  template: Template,
): Template => ({
  ...template,
  content: translatedTemplate(
    template.content,
    languages.find(each => each === document.documentElement.lang) ?? 'en',
  ),
})

type TemplateMessages = Pick<Template, 'name' | 'description'>

/** A template without texts here is shown as the API names it. */
export function useTemplateMessages(): (template: Template) => TemplateMessages {
  const t = useTranslations('templates')
  return ({ id, name, description }) => {
    const key = id as 'corporate-classic'
    return t.has(`${key}.name`)
      ? { name: t(`${key}.name`), description: t(`${key}.description`) }
      : { name, description }
  }
}
