// The gallery: good designs, drawn with the own brand and the own name.

import type { SignatureListItem, Template } from '@signoff/sdk'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { useMe } from '#api/session.ts'
import { inPageLanguage, useTemplateMessages } from '#records/templates/template-messages.ts'
import { versioned } from '#state/versioned.ts'
import { Button } from '#ui/base/button.tsx'
import { ErrorNotice } from '#ui/feedback/error-notice.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import { StepButtons, StepFrame } from './step-frame.tsx'
import { useOwnDraft, usePreviewAddress, useStep } from './steps.ts'

const galleryIds = [
  'corporate-classic',
  'corporate-profile',
  'corporate-accent-bar',
  'corporate-card',
  'sales-contact-card',
  'creative-panel',
  'corporate-letterhead',
  'minimal-stack',
]

const order = ({ id }: Template): number => galleryIds.indexOf(id)

const galleryQuery = {
  queryKey: ['templates', 'gallery'],
  queryFn: async () => {
    const all = await api.templates.list({ limit: 100 })
    const gallery = all.filter(({ id }) => galleryIds.includes(id)).sort((a, b) => order(a) - order(b))
    return gallery.map(inPageLanguage)
  },
} as const

function DesignCard({ template }: { readonly template: Template }) {
  const { name } = useTemplateMessages()(template)
  const address = usePreviewAddress({ needsDetails: true })
  const { data } = useQuery({
    queryKey: ['templates', 'preview', template.id, template.content, address.id],
    queryFn: () =>
      api.content.preview({
        content: template.content,
        ...(address.id !== undefined && { email_id: address.id }),
      }),
    enabled: address.isReady,
    staleTime: 60_000,
  })
  return (
    <Radio
      value={template.id}
      className="group flex flex-col overflow-hidden rounded-2xl border-2 border-line bg-card data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-focus-visible:outline-accent data-hovered:border-edge data-selected:border-accent"
    >
      <span className="grid h-44 content-center overflow-hidden bg-white p-4">
        {data ? (
          <SignatureFrame html={data.html} title={name} width={400} maxHeight={150} />
        ) : (
          <span className="block h-24 animate-pulse rounded-lg bg-[#f0f1f3]" />
        )}
      </span>
      <span className="flex items-start gap-2.5 border-t border-line p-3">
        <span
          aria-hidden="true"
          className="mt-0.5 size-4 shrink-0 rounded-full border border-edge bg-card group-data-selected:border-[5px] group-data-selected:border-accent"
        />
        <span className="font-medium">{name}</span>
      </span>
    </Radio>
  )
}

/** The draft that the set-up has made is filled anew; otherwise a new signature is made. */
async function chooseDesign(
  template: Template,
  name: string,
  draft: SignatureListItem | undefined,
): Promise<string> {
  const changes = { draft_content: template.content }
  if (!draft) return (await api.signatures.create({ name, ...changes })).id
  const { data, etag } = await versioned(api.signatures.get(draft.id))
  return (await api.signatures.update(data.id, changes, { ifMatch: etag })).id
}

export function DesignStep() {
  const t = useTranslations('welcome.design')
  const { workspace } = useMe()
  const [, goTo] = useStep()
  const address = usePreviewAddress({ needsDetails: true })
  const { data: templates } = useSuspenseQuery(galleryQuery)
  const [chosen, setChosen] = useState(templates[0]?.id ?? '')
  const draft = useOwnDraft()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (template: Template) => chooseDesign(template, workspace.name, draft),
    onSuccess: async id => {
      await readAgain('signatures', 'checklist')
      goTo('publish', id)
    },
  })
  const use = () => {
    const template = templates.find(({ id }) => id === chosen)
    if (template) mutate(template)
  }
  return (
    <StepFrame title={t('title')} about={t('about')}>
      {draft && (
        <div className="mb-4">
          <Notice>{t('replaces', { name: draft.name })}</Notice>
        </div>
      )}
      {address.isReady && address.id === undefined && <p className="mb-4 text-muted">{t('sample')}</p>}
      <RadioGroup aria-label={t('title')} value={chosen} onChange={setChosen}>
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {templates.map(template => (
            <DesignCard key={template.id} template={template} />
          ))}
        </div>
      </RadioGroup>
      <ErrorNotice error={error} className="mt-4" />
      <StepButtons onBack={() => goTo('people')} onSkip={() => goTo('publish')}>
        <Button variant="primary" isPending={isPending} onPress={use}>
          {t('use')}
        </Button>
      </StepButtons>
    </StepFrame>
  )
}
