import { useTranslations } from 'use-intl'
import { type TextSession, useTextSnapshot } from '../text/text-session.ts'
import { selectedField } from '../text/token-commands.ts'
import { FieldSettings } from './field-settings.tsx'
import { Section } from './section.tsx'

/** The smart field that is selected in the text. Letters and movements of the cursor concern only this part. */
export function FieldSection({ session }: { readonly session: TextSession }) {
  const t = useTranslations('editor.textTools')
  const snapshot = useTextSnapshot(session)
  const field = snapshot && selectedField(snapshot.state)
  if (!field) return null
  return (
    <Section title={t('smartField')}>
      <FieldSettings session={session} field={field} />
    </Section>
  )
}
