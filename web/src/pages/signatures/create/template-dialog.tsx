// The gallery: every template in the own brand, with the values of a real person. A choice is shown large beside it.
import type { Template } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { examplePersonQuery, type PickedAddress } from '#records/signatures/example-person.ts'
import { inPageLanguage, useTemplateMessages } from '#records/templates/template-messages.ts'
import { classes } from '#ui/base/classes.ts'
import { Badge, LoadState } from '#ui/layout/page.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { ContentFrame } from './content-frame.tsx'
import { CreateForm } from './create-form.tsx'
import { TemplateGallery } from './template-gallery.tsx'
import { traitsOf } from './template-traits.ts'

interface ChosenTemplateProps {
  readonly template: Template
  readonly person: PickedAddress | undefined
  readonly folderId: string | null
  readonly onBack: () => void
}

/** One template in its full size, and what the new signature is called. */
function ChosenTemplate({ template, person, folderId, onBack }: ChosenTemplateProps) {
  const t = useTranslations('signatures')
  const { name, description } = useTemplateMessages()(template)
  return (
    <section aria-label={name} className="flex h-full flex-col">
      <div className="grid min-h-56 flex-1 content-center rounded-xl border border-line bg-white p-6">
        <ContentFrame
          content={template.content}
          cacheKey={['template', template.id]}
          title={t('templateOf', { name })}
          emailId={person?.emailId}
          width={480}
        />
      </div>
      <p className="mt-1 text-xs text-muted">
        {person ? t('shownAs', { name: person.name }) : t('shownWithSamples')}
      </p>
      <div className="mt-3 mb-4">
        <h3 className="font-semibold">{name}</h3>
        <p className="mt-0.5 text-muted">{description}</p>
        <p className="mt-2 flex flex-wrap gap-1.5">
          {[...traitsOf(template)].map(trait => (
            <Badge key={trait}>{t(`templateTraits.${trait}`)}</Badge>
          ))}
        </p>
      </div>
      <CreateForm
        start={async () => ({ draft_content: template.content })}
        folderId={folderId}
        suggestedName={name}
        onBack={onBack}
        backLabel={t('otherTemplate')}
        isBackForPhones
      />
    </section>
  )
}

interface TemplateDialogProps {
  readonly folderId: string | null
  readonly onClose: () => void
}

export default function TemplateDialog({ folderId, onClose }: TemplateDialogProps) {
  const t = useTranslations('signatures')
  const [chosen, setChosen] = useState<Template>()
  const { data: person } = useQuery(examplePersonQuery)
  const { data, error, refetch } = useQuery({
    queryKey: ['templates'],
    queryFn: async () => (await api.templates.list({ limit: 100 })).map(inPageLanguage),
    staleTime: 5 * 60_000,
  })
  const template = chosen ?? data?.[0]
  return (
    <Dialog title={t('chooseTemplate')} onClose={onClose} size="wide">
      <LoadState query={{ data, error, refetch }} lines={8} />
      {data && (
        // One beside the other where there is room, one after the other on a phone.
        <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,34rem)]">
          <div className={classes('min-w-0', chosen && 'hidden lg:block')}>
            <TemplateGallery
              templates={data}
              chosenId={template?.id}
              onChoose={setChosen}
              emailId={person?.emailId}
            />
          </div>
          {template && (
            <div className={classes('min-w-0', !chosen && 'hidden lg:block')}>
              <ChosenTemplate
                key={template.id}
                template={template}
                person={person ?? undefined}
                folderId={folderId}
                onBack={() => setChosen(undefined)}
              />
            </div>
          )}
        </div>
      )}
    </Dialog>
  )
}
