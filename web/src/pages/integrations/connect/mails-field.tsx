// Which mail gets a signature of the relay. Nothing chosen is the default of the API: all of it.
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Checkbox } from '#ui/choice.tsx'

const mails = ['external', 'internal', 'replies'] as const
type Mail = (typeof mails)[number]

interface MailsFieldProps {
  readonly label: string
  readonly hint: ReactNode
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

/** Without one of these two, no mail would get a signature. */
const isLastOfTwo = (mail: Mail, chosen: readonly Mail[]): boolean =>
  mail !== 'replies' && chosen.filter(one => one !== 'replies').join() === mail

export function MailsField({ label, hint, values, onChange }: MailsFieldProps) {
  const t = useTranslations('integrations.fields.mails')
  const chosen = mails.filter(mail => values.length === 0 || values.includes(mail))
  const toggle = (mail: Mail, isSelected: boolean) => {
    const next = mails.filter(one => (one === mail ? isSelected : chosen.includes(one)))
    onChange(next.length === mails.length ? [] : next)
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 text-[0.8125rem] font-medium">{label}</legend>
      <p className="-mt-1 text-[0.8125rem] text-muted">{hint}</p>
      {mails.map(mail => (
        <Checkbox
          key={mail}
          isSelected={chosen.includes(mail)}
          isDisabled={isLastOfTwo(mail, chosen)}
          onChange={isSelected => toggle(mail, isSelected)}
        >
          <span className="block font-medium">{t(`${mail}.label`)}</span>
          <span className="block text-[0.8125rem] text-muted">{t(`${mail}.hint`)}</span>
        </Checkbox>
      ))}
    </fieldset>
  )
}
