import type { Content, Signature, SignatureVersionListItem } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useLocale, useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import { blockLabel } from '#editor/blocks/blocks.ts'
import type { AnyBlock } from '#records/content/block.ts'

import { examplePersonQuery } from '#records/signatures/example-person.ts'
import { type BlockChange, changesBetween } from '#records/versions/content-changes.ts'
import { useVersionContent } from '#records/versions/use-versions.ts'
import type { Language } from '#texts/languages.ts'
import { Button } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Select } from '#ui/form/select.tsx'
import { Badge, Card, Skeleton } from '#ui/layout/page.tsx'
import { ContentFrame } from '../create/content-frame.tsx'

interface VersionComparisonProps {
  readonly signature: Signature
  readonly chosen: SignatureVersionListItem
  readonly versions: readonly SignatureVersionListItem[]
  readonly onRestore: () => void
}

export function VersionComparison({ signature, chosen, versions, onRestore }: VersionComparisonProps) {
  const t = useTranslations('signatures')
  const can = useCan()
  const [other, setOther] = useState<string>()
  const position = versions.findIndex(({ id }) => id === chosen.id)
  const previous = versions[position + 1]?.id
  // What one compares with most: the draft for the live version, else the version before.
  const suggested = position === 0 && signature.has_unpublished_changes ? 'draft' : (previous ?? 'nothing')
  const against = other && other !== chosen.id ? other : suggested
  const isDraft = against === 'draft'
  const chosenContent = useVersionContent(signature.id, chosen.id)
  const stored = useVersionContent(signature.id, isDraft || against === 'nothing' ? undefined : against)
  const otherContent = isDraft ? (signature.draft_content ?? undefined) : stored
  const options = [
    ...(signature.has_unpublished_changes ? [{ id: 'draft', label: t('sources.draft') }] : []),
    ...versions
      .filter(({ id }) => id !== chosen.id)
      .map(({ id, number }) => ({ id, label: t('versionNumber', { number }) })),
  ]
  // The live version is the draft already.
  const canRestore = position > 0 || signature.has_unpublished_changes
  const chosenName = t('versionNumber', { number: chosen.number })
  const otherName = options.find(({ id }) => id === against)?.label ?? ''
  // The older one stands first.
  const isOtherFirst = !isDraft && versions.findIndex(({ id }) => id === against) > position
  const sides = [
    { key: against, name: otherName, content: otherContent },
    { key: chosen.id, name: chosenName, content: chosenContent },
  ]
  const visibleSides = against === 'nothing' ? sides.slice(1) : isOtherFirst ? sides : sides.toReversed()
  const [first, second] = visibleSides
  const changes =
    first?.content && second?.content ? changesBetween(first.content, second.content) : undefined
  return (
    <div className="grid min-w-0 grid-cols-1 gap-5">
      <div className="flex flex-wrap items-end justify-between gap-3">
        {options.length > 0 && (
          <Select
            label={t('compareWith')}
            options={options}
            value={against}
            onChange={setOther}
            className="w-56"
          />
        )}
        {can('signatures:write') && canRestore && (
          <Button icon="rotate-ccw" className="ms-auto" onPress={onRestore}>
            {t('restore', { number: chosen.number })}
          </Button>
        )}
      </div>
      <div className={classes('grid gap-4', visibleSides.length > 1 && 'xl:grid-cols-2')}>
        {visibleSides.map(side => (
          <VersionPicture
            key={side.key}
            name={side.name}
            cacheKey={`${signature.id}-${side.key}-${signature.updated_at}`}
            content={side.content}
          />
        ))}
      </div>
      {changes && <ChangeList changes={changes} />}
    </div>
  )
}

interface VersionPictureProps {
  readonly name: string
  readonly cacheKey: string
  readonly content: Content | undefined
}

function VersionPicture({ name, cacheKey, content }: VersionPictureProps) {
  const { data: person } = useQuery(examplePersonQuery)
  return (
    <figure className="min-w-0 rounded-2xl border border-line bg-card">
      <figcaption className="border-b border-line px-4 py-2.5 text-[0.8125rem] font-medium">
        {name}
      </figcaption>
      <div className="rounded-b-2xl bg-white p-5">
        {content ? (
          <ContentFrame
            content={content}
            cacheKey={['version', cacheKey]}
            title={name}
            emailId={person?.emailId}
          />
        ) : (
          <Skeleton lines={4} />
        )}
      </div>
    </figure>
  )
}

const variants = { added: 'good', removed: 'bad', changed: 'accent', moved: 'neutral' } as const

function ChangeList({ changes }: { readonly changes: readonly BlockChange[] }) {
  const t = useTranslations('signatures')
  const language = useLocale() as Language
  const labelOf = (type: string) => {
    const key = `blocks.${type}` as Parameters<typeof t.has>[0]
    return t.has(key) ? t(key as 'blocks.text') : blockLabel({ type } as AnyBlock, language)
  }
  return (
    <Card title={t('changes')}>
      {changes.length === 0 && <p className="text-muted">{t('noChanges')}</p>}
      <ul className="grid gap-2">
        {changes.map(({ id, change, type, name }) => (
          <li key={`${change}-${id}`} className="flex flex-wrap items-center gap-2 text-[0.8125rem]">
            <Badge variant={variants[change]}>{t(`changeKinds.${change}`)}</Badge>
            <span className="font-medium">{labelOf(type)}</span>
            {name && <span className="min-w-0 truncate text-muted">{name}</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
