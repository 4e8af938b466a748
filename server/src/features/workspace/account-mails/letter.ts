import { type Letter, type LetterContext, type MailLanguage, paragraph } from '#kernel/base/mail.ts'
import type { AccountMail, AccountMailKind, AccountWords, LetterReader } from './kinds.ts'
import { germanWords } from './words-de.ts'
import { englishWords } from './words-en.ts'

const wordsIn: Readonly<Record<MailLanguage, AccountWords>> = { en: englishWords, de: germanWords }

/** Returns the function that writes the letter in the language of its reader. */
export const accountLetter =
  <Kind extends AccountMailKind>(
    kind: Kind,
    mail: AccountMail<Kind>,
    about: Pick<LetterReader, 'publicUrl' | 'isOwner'>,
  ) =>
  (context: LetterContext): Letter => {
    const { greeting, kinds } = wordsIn[context.language]
    const name = context.nameOf(mail.name)
    const letter = kinds[kind](mail.data, context, { ...about, to: mail.to, name })
    return { ...letter, parts: [paragraph(greeting(name)), ...letter.parts] }
  }
