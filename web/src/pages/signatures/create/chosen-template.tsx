import type { Template } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import type { PickedAddress } from '#records/signatures/example-person.ts'
import { useTemplateTexts } from '#records/templates/template-texts.ts'
import { Badge } from '#ui/page.tsx'
import { ContentFrame } from './content-frame.tsx'
import { CreateForm } from './create-form.tsx'
import { traitsOf } from './template-traits.ts'

interface ChosenTemplateProps {
  readonly template: Template
  readonly person: PickedAddress | undefined
  readonly folderId: string | null
  readonly onBack: () => void
}

/** One template in its full size, and what the new signature is called. */
export function ChosenTemplate({ template, person, folderId, onBack }: ChosenTemplateProps) {
  const t = useTranslations('signatures')
  const { name, description } = useTemplateTexts()(template)
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
