// The names of the built-in smart fields in other languages. The API stores the English ones, until a person renames them.
import type { Language } from './languages.ts'

export const builtInFields: Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>> = {
  de: {
    'First name': 'Vorname',
    'Last name': 'Nachname',
    'Job title': 'Position',
    Department: 'Abteilung',
    Company: 'Firma',
    'Work phone': 'Telefon',
    'Mobile phone': 'Mobiltelefon',
    'Calendar link': 'Kalenderlink',
    'Profile picture': 'Profilbild',
    Email: 'E-Mail',
  },
}
