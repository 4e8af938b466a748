// What can be changed about the selected block, and what can be done with it.
import type { Token } from '@signoff/render'
import { memo, useDeferredValue, useState } from 'react'
import { useTranslations } from 'use-intl'
import { areaPart } from '#records/area-part.tsx'
import { type AnyBlock, idOf, tokensOf } from '#records/content/block.ts'
import { Button } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { Switch } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Skeleton } from '#ui/layout/page.tsx'
import { useBlockTypeName, useLabel } from '../blocks/block-names.ts'
import { blockIcon, contrastChecks, descriptorOf, standardNumber } from '../blocks/blocks.ts'
import { newField } from '../blocks/text.ts'
import { FieldSettings, InspectorSection } from '../inputs/field-settings.tsx'
import { useEditor, useEditorState, useEditorValue } from '../kit/editor-context.ts'
import { EditorIcon } from '../kit/editor-icon.tsx'
import { surfaceOf } from '../model/contrast.ts'
import { setProperties, setStyle } from '../model/operations.ts'
import { blockOf } from '../model/tree.ts'
import { loadText } from '../text/load-text.ts'
import type { TextSession } from '../text/text-session.ts'
import { BlockActions } from './block-actions.tsx'
import { type Property, propertiesOf, stylePropertiesOf } from './properties.ts'
import { PropertyControl } from './property-control.tsx'
import { Spacing } from './spacing.tsx'
import { SharedTextStyle, TextStyleControls } from './text-style.tsx'

const PictureSettings = areaPart(['assets'], () => import('./picture-settings.tsx'), <Skeleton lines={6} />)
const SocialItems = onDemand(() => import('./social-items.tsx'), <Skeleton lines={6} />)
const isSpace = ({ name }: Property): boolean => /^(margin|padding)/.test(name)

const FieldSection = onDemand(async () => ({ default: (await loadText()).FieldSection }))

const isTypingOnCanvas = (): boolean => document.activeElement?.closest('.signoff-text-editing') != null

export function Inspector({ session }: { readonly session: TextSession | undefined }) {
  const t = useTranslations('editor.inspector')
  const state = useEditorState()
  const deferred = useDeferredValue(state)
  // Letters are painted before the inspector follows. Its own fields must follow at once: they would lose letters.
  const { tree, selection } = isTypingOnCanvas() && deferred.selection === state.selection ? deferred : state
  const [id] = selection
  if (selection.length > 1)
    return (
      <div className="grid gap-4">
        <h2 className="font-semibold">{t('several', { count: selection.length })}</h2>
        <BlockActions />
        <SharedTextStyle ids={selection} />
      </div>
    )
  const block = (id === undefined ? undefined : blockOf(tree, id)) ?? tree
  return <BlockInspector key={idOf(block)} block={block} isRoot={block === tree} session={session} />
}

/** The properties of another block begin at their top. */
const showFromTop = (header: HTMLElement | null): void => header?.closest('aside')?.scrollTo(0, 0)

interface BlockInspectorProps {
  readonly block: AnyBlock
  readonly isRoot: boolean
  readonly session: TextSession | undefined
}

const BlockInspector = memo(function BlockInspector({ block, isRoot, session }: BlockInspectorProps) {
  const t = useTranslations('editor.inspector')
  const labelOf = useLabel()
  const { store } = useEditor()
  const editingId = useEditorValue(state => state.editingId)
  const surface = useEditorValue(({ tree }) => surfaceOf(tree, block))
  const typeName = useBlockTypeName()
  const [refusal, setRefusal] = useState<string>()
  const id = idOf(block)
  const style = (block.blockStyle ?? {}) as Readonly<Record<string, unknown>>
  const values = block as unknown as Readonly<Record<string, unknown>>
  const change = (operation: Parameters<typeof store.change>[0], key: string) => {
    const [problem] = store.change(operation, { mergeKey: `${key} ${id}` })
    setRefusal(problem && `${key} ${problem.message}`)
  }
  const set = (name: string, value: unknown) =>
    change(
      root =>
        setProperties(root, id, {
          [name]: value === '' ? undefined : value,
          // Only a row can stack on narrow screens.
          ...(name === 'direction' && value !== 'row' && block.type === 'stack' && { wrap: undefined }),
        }),
      name,
    )
  const { section, padding } = descriptorOf(block)
  const tokens = tokensOf(block)
  const edited = session?.id === id ? session : undefined
  const ownNames = propertiesOf(block, isRoot).map(({ name }) => name)
  // The own alignment of a block comes before that of its style.
  const styleProperties = stylePropertiesOf(block)
  const ownStyle = styleProperties.filter(property => !isSpace(property) && !ownNames.includes(property.name))
  return (
    <div className="grid gap-4">
      <header ref={showFromTop} className="flex items-center gap-2">
        <EditorIcon name={blockIcon(block)} className="text-muted" />
        <h2 className="min-w-0 flex-1 truncate font-semibold">
          {isRoot
            ? t('whole', { kind: store.kind })
            : onlyField(block)
              ? labelOf(newField.label)
              : typeName(block)}
          {!isRoot && block.displayName && (
            <span className="ms-2 text-[0.8125rem] font-normal text-muted">{block.displayName}</span>
          )}
        </h2>
      </header>
      {!isRoot && <BlockActions />}
      {refusal !== undefined && (
        <p role="alert" className="text-[0.8125rem] text-bad">
          {t('refused', { reason: refusal })}
        </p>
      )}
      {edited ? <FieldSection session={edited} /> : <OnlyFieldSection block={block} />}
      {tokens && (
        <InspectorSection title={t('text')}>
          {editingId !== id && (
            <Button icon="pen-line" onPress={() => store.edit(id)}>
              {t('editText')}
            </Button>
          )}
          <TextStyleControls id={id} tokens={tokens} session={edited} hasLinks={block.type === 'text'} />
        </InspectorSection>
      )}
      {!tokens && <SharedTextStyle ids={[id]} />}
      {section === 'picture' && block.type === 'image' && (
        <InspectorSection title={t('source')}>
          <PictureSettings block={block} />
        </InspectorSection>
      )}
      {section === 'links' && block.type === 'socialList' && (
        <InspectorSection title={t('links')}>
          <SocialItems block={block} />
        </InspectorSection>
      )}
      <InspectorSection title={t('look')}>
        {propertiesOf(block, isRoot).map(property => (
          <PropertyControl
            key={property.name}
            property={property}
            value={values[property.name]}
            checks={contrastChecks(surface, block, property.name)}
            standard={standardNumber(block, property.name)}
            onChange={value => set(property.name, value)}
          />
        ))}
        {ownStyle.map(property => (
          <PropertyControl
            key={property.name}
            property={property}
            value={style[property.name]}
            checks={contrastChecks(surface, block, property.name)}
            standard={standardNumber(block, property.name)}
            onChange={value => change(root => setStyle(root, id, { [property.name]: value }), property.name)}
          />
        ))}
      </InspectorSection>
      {styleProperties.some(isSpace) && (
        <InspectorSection title={t('spacing')}>
          <Spacing
            style={style}
            {...(padding && { defaultPadding: padding })}
            onChange={(next, key) => change(root => setStyle(root, id, next), key)}
          />
        </InspectorSection>
      )}
      {!isRoot && (
        <InspectorSection title={t('more')}>
          <TextField
            label={t('displayName')}
            value={block.displayName ?? ''}
            maxLength={200}
            onChange={name => set('displayName', name)}
          />
          <Switch
            label={t('visible', { kind: store.kind })}
            isSelected={block.visible !== false}
            onChange={isVisible => set('visible', isVisible ? undefined : false)}
          />
        </InspectorSection>
      )}
    </div>
  )
})

// The settings of a block that shows one smart field and nothing else.

function onlyField(block: AnyBlock): Token | undefined {
  const [token, ...others] = tokensOf(block) ?? []
  return others.length === 0 && token?.smartFieldUuid ? token : undefined
}

function OnlyFieldSection({ block }: { readonly block: AnyBlock }) {
  const t = useTranslations('editor.textTools')
  const { store } = useEditor()
  const token = onlyField(block)
  if (!token) return null
  const id = idOf(block)
  const change = (next: Token, step: string) =>
    void store.change(root => setProperties(root, id, { tokens: [next] }), { mergeKey: `${step} ${id}` })
  return (
    <InspectorSection title={t('smartField')}>
      <FieldSettings token={token} onChange={change} />
    </InspectorSection>
  )
}
