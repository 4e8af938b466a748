import type { Template } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTemplateMessages } from '#records/templates/template-messages.ts'
import { classes } from '#ui/base/classes.ts'
import { SearchField } from '#ui/form/field.tsx'
import { useSeen } from '../list/use-in-view.ts'
import { ContentFrame } from './content-frame.tsx'
import { type TemplateTrait, templateTraits, traitsOf } from './template-traits.ts'

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

interface GalleryProps {
  readonly templates: readonly Template[]
  readonly chosenId: string | undefined
  readonly onChoose: (template: Template) => void
  readonly emailId: string | undefined
}

export function TemplateGallery({ templates, ...card }: GalleryProps) {
  const t = useTranslations('signatures')
  const textsOf = useTemplateMessages()
  const [search, setSearch] = useState('')
  const [category, setCategory] = useState<Category>()
  const [traits, setTraits] = useState<readonly TemplateTrait[]>([])
  const query = search.trim().toLowerCase()
  const matches = templates.filter(template => {
    const has = traitsOf(template)
    return (
      (category === undefined || template.category === category) &&
      traits.every(trait => has.has(trait)) &&
      [...Object.values(textsOf(template)), ...template.fields].join(' ').toLowerCase().includes(query)
    )
  })
  const toggle = (trait: TemplateTrait) =>
    setTraits(traits.includes(trait) ? traits.filter(each => each !== trait) : [...traits, trait])
  const shownCategories = categories.filter(id => templates.some(each => each.category === id))
  return (
    <>
      <SearchField label={t('searchTemplates')} value={search} onChange={setSearch} />
      <fieldset className="mt-3 flex flex-wrap gap-1">
        <legend className="sr-only">{t('templateStyle')}</legend>
        {[undefined, ...shownCategories].map(id => (
          <Chip key={id ?? 'all'} isOn={id === category} onPress={() => setCategory(id)}>
            {t(`categories.${id ?? 'all'}`)}
          </Chip>
        ))}
      </fieldset>
      <fieldset className="mt-1 mb-3 flex flex-wrap items-center gap-1 border-t border-line pt-2">
        <legend className="sr-only">{t('templateHas')}</legend>
        <span aria-hidden="true" className="pe-1 text-[0.8125rem] text-muted">
          {t('templateHas')}
        </span>
        {templateTraits.map(trait => (
          <Chip key={trait} isOn={traits.includes(trait)} onPress={() => toggle(trait)}>
            {t(`templateTraits.${trait}`)}
          </Chip>
        ))}
      </fieldset>
      <p role="status" className={matches.length === 0 ? 'py-10 text-center text-muted' : 'sr-only'}>
        {matches.length === 0 ? t('noTemplateFound') : t('templatesFound', { count: matches.length })}
      </p>
      <ul className="grid max-h-[calc(100dvh-20rem)] min-h-64 content-start gap-3 overflow-y-auto p-1 sm:grid-cols-2">
        {matches.map(template => (
          <TemplateCard key={template.id} template={template} {...card} />
        ))}
      </ul>
    </>
  )
}

interface ChipProps {
  readonly isOn: boolean
  readonly onPress: () => void
  readonly children: string
}

const Chip = ({ isOn, onPress, children }: ChipProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={onPress}
    className={classes(
      'min-h-7 rounded-full px-2.5 text-[0.8125rem] font-medium focus-visible:outline-2 focus-visible:outline-accent',
      isOn ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-sunken hover:text-ink',
    )}
  >
    {children}
  </button>
)

interface CardProps extends Omit<GalleryProps, 'templates'> {
  readonly template: Template
}

function TemplateCard({ template, chosenId, emailId, onChoose }: CardProps) {
  const t = useTranslations('signatures')
  const { name } = useTemplateMessages()(template)
  const [ref, isSeen] = useSeen<HTMLLIElement>()
  const isChosen = template.id === chosenId
  return (
    <li
      ref={ref}
      className={classes(
        'relative overflow-hidden rounded-xl border-2',
        isChosen ? 'border-accent' : 'border-line hover:border-edge',
      )}
    >
      <div className="h-32 overflow-hidden bg-white p-3">
        <ContentFrame
          content={template.content}
          cacheKey={['template', template.id]}
          title={t('templateOf', { name })}
          emailId={emailId}
          width={400}
          maxHeight={104}
          isEnabled={isSeen}
        />
      </div>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => onChoose(template)}
        className="block w-full border-t border-line px-3 py-2 text-start after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-xl focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      >
        <span className="block font-medium">{name}</span>
        <span className="block text-xs text-muted">{t(`categories.${template.category}`)}</span>
      </button>
    </li>
  )
}
