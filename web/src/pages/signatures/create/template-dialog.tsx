import type { Template } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { classes } from '../../../ui/classes.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SearchField } from '../../../ui/field.tsx'
import { LoadError, Skeleton } from '../../../ui/page.tsx'
import { useTemplateTexts } from '../../templates/template-texts.ts'
import { useSeen } from '../list/use-in-view.ts'
import { examplePersonQuery } from '../person-picker.tsx'
import { ContentFrame } from './content-frame.tsx'
import { CreateForm } from './create-form.tsx'

const categories = [
  'corporate',
  'sales',
  'creative',
  'legal',
  'health',
  'education',
  'minimal',
  'reply',
  'internal',
] as const
type Category = (typeof categories)[number]

interface TemplateDialogProps {
  readonly folderId: string | null
  readonly onClose: () => void
}

export default function TemplateDialog({ folderId, onClose }: TemplateDialogProps) {
  const t = useTranslations('signatures')
  const textsOf = useTemplateTexts()
  const [chosen, setChosen] = useState<Template>()
  const texts = chosen && textsOf(chosen)
  const { data: person } = useQuery(examplePersonQuery)
  const emailId = person?.emailId
  return (
    <Dialog title={texts?.name ?? t('chooseTemplate')} isOpen onClose={onClose} size="large">
      {chosen ? (
        <>
          <p className="mb-4 text-muted">{texts?.description}</p>
          <div className="mb-5 rounded-xl border border-line bg-white p-6">
            <ContentFrame
              content={chosen.content}
              cacheKey={['template', chosen.id]}
              title={texts?.name ?? ''}
              emailId={emailId}
            />
          </div>
          <CreateForm
            start={async () => ({ template_id: chosen.id })}
            folderId={folderId}
            suggestedName={texts?.name ?? ''}
            onBack={() => setChosen(undefined)}
            backLabel={t('otherTemplate')}
          />
        </>
      ) : (
        <TemplateGallery onChoose={setChosen} emailId={emailId} />
      )}
    </Dialog>
  )
}

interface GalleryProps {
  readonly onChoose: (template: Template) => void
  readonly emailId: string | undefined
}

function TemplateGallery({ onChoose, emailId }: GalleryProps) {
  const t = useTranslations('signatures')
  const textsOf = useTemplateTexts()
  const [search, setSearch] = useState('')
  const [category, setCategory] = useState<Category>()
  const { data, error, refetch } = useQuery({
    queryKey: ['templates'],
    queryFn: () => api.templates.list({ limit: 100 }),
    staleTime: 5 * 60_000,
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={8} />
  const wanted = search.trim().toLowerCase()
  const found = data.filter(
    template =>
      (category === undefined || template.category === category) &&
      [...Object.values(textsOf(template)), ...template.fields].join(' ').toLowerCase().includes(wanted),
  )
  const chips = [undefined, ...categories.filter(id => data.some(template => template.category === id))]
  return (
    <>
      <p className="mb-4 text-muted">{t('chooseTemplateText')}</p>
      <SearchField label={t('searchTemplates')} value={search} onChange={setSearch} />
      <div className="mt-3 mb-4 flex flex-wrap gap-1">
        {chips.map(id => (
          <button
            key={id ?? 'all'}
            type="button"
            aria-pressed={id === category}
            onClick={() => setCategory(id)}
            className={classes(
              'min-h-7 rounded-full px-3 text-[0.8125rem] font-medium',
              id === category ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-sunken hover:text-ink',
            )}
          >
            {t(`categories.${id ?? 'all'}`)}
          </button>
        ))}
      </div>
      {found.length === 0 && <p className="py-10 text-center text-muted">{t('noTemplateFound')}</p>}
      <ul className="grid max-h-[60dvh] gap-4 overflow-y-auto p-1 sm:grid-cols-2">
        {found.map(template => (
          <TemplateCard key={template.id} template={template} emailId={emailId} onChoose={onChoose} />
        ))}
      </ul>
    </>
  )
}

function TemplateCard({ template, emailId, onChoose }: GalleryProps & { readonly template: Template }) {
  const t = useTranslations('signatures')
  const { name } = useTemplateTexts()(template)
  const [ref, isSeen] = useSeen<HTMLLIElement>()
  return (
    <li ref={ref} className="relative overflow-hidden rounded-xl border border-line hover:border-accent">
      <div className="h-40 overflow-hidden bg-white p-4">
        <ContentFrame
          content={template.content}
          cacheKey={['template', template.id]}
          title={t('templateOf', { name })}
          emailId={emailId}
          width={560}
          maxHeight={128}
          isEnabled={isSeen}
        />
      </div>
      <button
        type="button"
        onClick={() => onChoose(template)}
        className="block w-full border-t border-line px-4 py-2.5 text-start after:absolute after:inset-0"
      >
        <span className="block font-medium">{name}</span>
        <span className="block truncate text-xs text-muted">{t(`categories.${template.category}`)}</span>
      </button>
    </li>
  )
}
