// A template with the brand of the form, before it is saved.
import type { Brand, BrandPatch } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { examplePersonQuery } from '#records/signatures/example-person.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Switch } from '#ui/form/choice.tsx'
import { Select } from '#ui/form/select.tsx'
import { Card, Notice, Skeleton } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'

type TemplateId = Parameters<typeof api.templates.get>[0]

/** Templates in which logo, colours, address and icons can all be seen. */
const templates = [
  'corporate-accent-bar',
  'corporate-letterhead',
  'corporate-executive',
  'corporate-classic',
] as const

const patchOf = ({ updated_at: _, social, ...rest }: Brand): BrandPatch => ({
  ...rest,
  // A row without an address is not finished yet.
  social: social.filter(({ href }) => href.trim() !== ''),
})

/** The value after it has not changed for a moment: a key press sends no request. */
function useSettled<Value>(value: Value, milliseconds = 250): Value {
  const [settled, setSettled] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(key) as Value), milliseconds)
    return () => clearTimeout(timer)
  }, [key, milliseconds])
  return settled
}

export function BrandPreview({ draft }: { readonly draft: Brand }) {
  const t = useTranslations('settings.brand')
  const messageOf = useMessageOf()
  const [template, setTemplate] = useState<TemplateId>(templates[0])
  const [isDark, setDark] = useState(false)
  const patch = useSettled(patchOf(draft))
  const person = useQuery({ ...examplePersonQuery, enabled: useCan()('teammates:read') })
  const emailId = person.data?.emailId
  const { data, error } = useQuery({
    queryKey: ['templates', template, 'filled', patch, emailId],
    queryFn: async ({ signal }) => {
      const { content } = await api.templates.fill(template, patch, { signal })
      return api.content.preview(
        { content, campaign: 'none', ...(emailId && { email_id: emailId }) },
        { signal },
      )
    },
    enabled: !person.isLoading,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return (
    <Card title={t('preview')} about={t('previewAbout')}>
      <div className="grid grid-cols-1 gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Select
            label={t('template')}
            isLabelHidden
            value={template as string}
            onChange={id => setTemplate(id as TemplateId)}
            options={templates.map(id => ({ id: id as string, label: t(`templates.${id}`) }))}
            className="min-w-44"
          />
          <Switch label={t('dark')} isSelected={isDark} onChange={setDark} />
        </div>
        {error && <Notice kind="warn">{messageOf(error)}</Notice>}
        <div
          className="rounded-xl border border-line p-4"
          style={{ background: isDark ? '#1b1b1b' : '#ffffff' }}
        >
          {data ? (
            <SignatureFrame html={data.html} title={t('preview')} width={520} isDark={isDark} />
          ) : (
            <Skeleton lines={5} />
          )}
        </div>
      </div>
    </Card>
  )
}
