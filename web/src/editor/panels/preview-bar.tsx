// Above the canvas: the view, whose values, which campaign, and what the person lacks.
import { useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useMemo, useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { useTranslations } from 'use-intl'
import { IconButton } from '#ui/base/button.tsx'
import { classes, controlFrame } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { Select } from '#ui/form/select.tsx'
import { useEditor } from '../kit/editor-context.ts'
import { EditorIcon } from '../kit/editor-icon.tsx'
import type { EditorIconName } from '../kit/editor-outlines.ts'
import { blocksIn } from '../model/tree.ts'
import { fieldsNeededBy, missingFields } from '../problems/missing-values.ts'
import { useNextGap } from '../problems/next-gap.ts'
import { type PreviewMode, previewModes, useShownPreview } from '../rendering/preview-state.tsx'
import { renderedPersonQuery, useWorkspaceParts } from '../rendering/workspace-queries.ts'

export function PreviewBar({ children }: { readonly children?: ReactNode }) {
  const t = useTranslations('editor.preview')
  const { mode, setMode } = useShownPreview()
  const { goToNextGap, isSearching } = useNextGap()
  return (
    <div
      role="group"
      aria-label={t('bar')}
      className="grid gap-2 border-b border-line bg-card px-4 py-2 max-md:gap-1.5 max-md:px-2 max-md:py-1.5"
    >
      <div className="flex flex-wrap items-center gap-2">
        <div className="max-md:-order-2">
          <PreviewModes mode={mode} onChange={setMode} />
        </div>
        {/* The second row of a phone. */}
        <span className="h-0 w-full max-md:-order-1 md:hidden" />
        <PersonChooser onNextGap={() => goToNextGap()} />
        <IconButton
          icon="circle-dashed"
          label={t('nextGap')}
          isPending={isSearching}
          onPress={() => goToNextGap()}
        />
        <CampaignSelect />
        <div className="ms-auto flex items-center gap-1 max-md:-order-2">{children}</div>
      </div>
      <MissingChips />
    </div>
  )
}

const modeIcons: Readonly<Record<PreviewMode, EditorIconName>> = {
  edit: 'pen-line',
  desktop: 'monitor',
  phone: 'smartphone',
  dark: 'moon',
  blocked: 'image-off',
  text: 'file-text',
}

interface PreviewModesProps {
  readonly mode: PreviewMode
  readonly onChange: (mode: PreviewMode) => void
}

/** The views as icons with tooltips: a name on the chosen one would move the others under the pointer. */
const PreviewModes = memo(function PreviewModes({ mode, onChange }: PreviewModesProps) {
  const t = useTranslations('editor.modes')
  return (
    <ToggleButtonGroup
      aria-label={t('label')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[mode]}
      onSelectionChange={keys => {
        const [key] = [...keys]
        if (key !== undefined) onChange(key as PreviewMode)
      }}
      className="inline-flex max-w-full gap-0.5 rounded-lg bg-sunken p-0.5"
    >
      {previewModes.map(id => (
        <span key={id} className="tooltip tooltip-start inline-grid" data-tooltip={t(id)}>
          <ToggleButton
            id={id}
            aria-label={t(id)}
            className="inline-grid size-8 cursor-default place-items-center rounded-md text-muted data-focus-visible:outline-2 data-focus-visible:outline-accent data-hovered:text-ink data-selected:bg-card data-selected:text-ink data-selected:shadow-raised"
          >
            <EditorIcon name={modeIcons[id]} size={15} />
          </ToggleButton>
        </span>
      ))}
    </ToggleButtonGroup>
  )
})

// Whose values the signature shows.

const PersonPanel = onDemand(() => import('./person-panel.tsx'))

function PersonChooser({ onNextGap }: { readonly onNextGap: () => void }) {
  const t = useTranslations('editor.preview')
  const { shownPerson } = useShownPreview()
  const [isOpen, setOpen] = useState(false)
  const triggerRef = useRef<HTMLButtonElement>(null)
  const name = typeof shownPerson === 'string' ? t(shownPerson) : shownPerson.name
  return (
    <span className="block max-w-44 min-w-0 flex-1 basis-36">
      <AriaButton
        ref={triggerRef}
        aria-label={t('personNow', { name })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
        className={classes(controlFrame, 'flex items-center gap-2 text-start')}
      >
        <Icon name="user" className="text-muted" />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <Icon name="chevrons-up-down" size={14} className="text-muted" />
      </AriaButton>
      {isOpen && <PersonPanel triggerRef={triggerRef} onNextGap={onNextGap} onClose={() => setOpen(false)} />}
    </span>
  )
}

// Which campaign the banner shows: the one that a recipient would see now, none, or any other.

function CampaignSelect() {
  const t = useTranslations('editor.preview')
  const { campaigns } = useWorkspaceParts()
  const { person, signatureId, campaign, setCampaign, drawnTree } = useShownPreview()
  const { data: rendered } = useQuery(renderedPersonQuery(person, signatureId))
  const hasBanner = [...blocksIn(drawnTree)].some(({ type }) => type === 'marketing')
  if (!hasBanner || signatureId === undefined) return null
  const [first] = rendered?.running_campaigns ?? []
  const now = campaigns.find(({ id }) => id === first?.campaign_id)
  const options = [
    {
      id: 'running',
      label: now ? t('campaignNow', { name: now.name }) : t('campaignNoneNow'),
      hint: t('campaignNowHint'),
    },
    { id: 'none', label: t('campaignNone') },
    ...campaigns.map(({ id, name }) => ({ id, label: name })),
  ]
  return (
    <Select
      label={t('campaign')}
      isLabelHidden
      value={campaign}
      onChange={setCampaign}
      options={options}
      className="min-w-0 max-w-44 flex-1 basis-36 md:max-w-72"
    />
  )
}

// The values that the shown person lacks; a press goes to the block that is left out.

function MissingChips() {
  const t = useTranslations('editor.preview')
  const { store } = useEditor()
  const { fields } = useWorkspaceParts()
  const { shownPerson, person, signatureId, drawnTree: tree } = useShownPreview()
  const { data: rendered } = useQuery(renderedPersonQuery(person, signatureId))
  const needed = useMemo(() => fieldsNeededBy(tree, fields), [tree, fields])
  if (!rendered) return null
  const missing = missingFields(needed, rendered)
  if (missing.length === 0) return null
  const name = typeof shownPerson === 'string' ? t(shownPerson) : shownPerson.name
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-[0.8125rem] text-muted">
      <span id="missing-values">{t('lacks', { name })}</span>
      <ul aria-labelledby="missing-values" className="contents">
        {missing.map(({ field, blockIds }) => (
          <li key={field.id}>
            <button
              type="button"
              onClick={() => store.select(blockIds)}
              className="inline-flex min-h-6 items-center gap-1 rounded-full bg-warn-soft px-2.5 font-medium text-warn hover:underline focus-visible:outline-2 focus-visible:outline-accent"
            >
              <Icon name="circle-dashed" size={12} />
              {field.label}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
