// The style of the words of a block: of those that are selected while the text is edited, else of all.
import type { TextStyle, Token } from '@signoff/render'
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { classes } from '../../../ui/classes.ts'
import { Select } from '../../../ui/select.tsx'
import { useEditor, useEditorValue } from '../editor-context.ts'
import { EditorIcon } from '../editor-icon.tsx'
import { tokensOf } from '../model/block.ts'
import { setProperties } from '../model/operations.ts'
import { blockOf } from '../model/tree.ts'
import { haveSameLookProps } from '../text/same-look.ts'
import { type TextSession, useTextSnapshot } from '../text/text-session.ts'
import { sharedHref, sharedStyle, styleToggles, withHref, withStyle } from '../text/token-styles.ts'
import { ColorInput } from './color-input.tsx'
import { surfaceOf, textChecks } from './contrast.ts'
import { useFontOptions } from './font-options.ts'
import { useInspector } from './inspector-data.ts'
import { LinkField } from './link-field.tsx'
import { NumberInput } from './number-input.tsx'

interface TextStyleControlsProps {
  readonly id: string
  readonly tokens: readonly Token[]
  /** While the text is edited. */
  readonly session: TextSession | undefined
  /** Inside a button, words have no links of their own. */
  readonly hasLinks: boolean
}

export function TextStyleControls({ tokens, ...rest }: TextStyleControlsProps) {
  const snapshot = useTextSnapshot(rest.session)
  return (
    <StyleFields
      {...rest}
      tokens={snapshot && rest.session ? rest.session.selectedTokens(snapshot) : tokens}
    />
  )
}

/** Of the tokens, only how they look is used: letters come with every key. */
const StyleFields = memo(function StyleFields({
  id,
  tokens: chosen,
  session,
  hasLinks,
}: TextStyleControlsProps) {
  const t = useTranslations('editor.inspector')
  const { store } = useEditor()
  const { brandColors } = useInspector()
  const fonts = useFontOptions()
  const block = blockOf(store.getState().tree, id)
  const surface = useEditorValue(({ tree }) => block && surfaceOf(tree, block))
  const change = (changeToken: (token: Token) => Token, step: string) => {
    if (session) session.changeTokens(changeToken, step)
    else
      store.change(
        root => {
          const block = blockOf(root, id)
          return setProperties(root, id, { tokens: ((block && tokensOf(block)) ?? []).map(changeToken) })
        },
        { mergeKey: `${step} ${id}` },
      )
  }
  const set = (key: keyof TextStyle, value: unknown) => change(withStyle({ [key]: value }), key)
  return (
    <div className="grid gap-3">
      <div role="group" aria-label={t('text')} className="flex gap-1">
        {styleToggles.map(([icon, key, value]) => {
          const isOn = chosen.length > 0 && chosen.every(({ textStyle }) => textStyle?.[key] === value)
          return (
            <button
              key={icon}
              type="button"
              aria-label={t(icon)}
              aria-pressed={isOn}
              // The text keeps the focus and its selection.
              onMouseDown={event => event.preventDefault()}
              onClick={() => set(key, isOn ? undefined : value)}
              className={classes(
                'grid size-9 place-items-center rounded-lg border focus-visible:outline-2 focus-visible:outline-accent',
                isOn ? 'border-accent bg-accent-soft text-accent' : 'border-line hover:border-edge',
              )}
            >
              <EditorIcon name={icon} />
            </button>
          )
        })}
      </div>
      <Select
        label={t('font')}
        value={sharedStyle(chosen, 'fontFamily') ?? null}
        placeholder={t('standard')}
        onChange={font => set('fontFamily', font)}
        options={fonts}
      />
      <div className="grid grid-cols-2 gap-2">
        <NumberInput
          label={t('fontSize')}
          value={sharedStyle(chosen, 'fontSize')}
          minimum={6}
          maximum={96}
          placeholder="14"
          onChange={size => set('fontSize', size)}
        />
        <NumberInput
          label={t('lineHeight')}
          value={sharedStyle(chosen, 'lineHeight')}
          minimum={0}
          maximum={2_000}
          onChange={height => set('lineHeight', height)}
        />
        <NumberInput
          label={t('letterSpacing')}
          value={sharedStyle(chosen, 'letterSpacing')}
          minimum={0}
          maximum={20}
          placeholder="0"
          onChange={spacing => set('letterSpacing', spacing)}
        />
      </div>
      <ColorInput
        label={t('textColor')}
        value={sharedStyle(chosen, 'color')}
        brandColors={brandColors}
        checks={block ? textChecks(surface, block, chosen) : []}
        onChange={color => set('color', color)}
      />
      {hasLinks && (
        <LinkField
          label={t('linkKind')}
          value={sharedHref(chosen)}
          onChange={href => change(withHref(href), 'href')}
        />
      )}
    </div>
  )
}, haveSameLookProps)
