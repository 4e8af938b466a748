// The style of all texts in the selected blocks: the font of a whole signature, the colour of a list.
import type { TextStyle } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { classes } from '../../../ui/classes.ts'
import { Select } from '../../../ui/select.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { EditorIcon } from '../editor-icon.tsx'
import { idOf, tokensOf } from '../model/block.ts'
import { setProperties } from '../model/operations.ts'
import { blockOf, blocksIn } from '../model/tree.ts'
import { sharedStyle, styleToggles, withStyle } from '../text/token-styles.ts'
import { ColorInput } from './color-input.tsx'
import { surfaceOf, textChecks } from './contrast.ts'
import { useFontOptions } from './font-options.ts'
import { useInspector } from './inspector-data.ts'
import { NumberInput } from './number-input.tsx'

interface SharedTextStyleProps {
  /** Of the blocks that are selected. */
  readonly ids: readonly string[]
}

export function SharedTextStyle({ ids }: SharedTextStyleProps) {
  const t = useTranslations('editor.inspector')
  const { store } = useEditor()
  const { tree } = useEditorState()
  const { brandColors } = useInspector()
  const fonts = useFontOptions()
  const blocks = ids.flatMap(id => [...blocksIn(blockOf(tree, id) ?? tree)])
  // Labels of buttons have the colour that is readable on the button.
  const texts = new Map(
    blocks.filter(({ type }) => type !== 'button').map(block => [idOf(block), tokensOf(block)]),
  )
  const tokens = [...texts.values()].flatMap(each => each ?? [])
  if (tokens.length === 0) return null
  const everyCheck = blocks
    .filter(block => texts.get(idOf(block)))
    .flatMap(block => textChecks(surfaceOf(tree, block), block, texts.get(idOf(block)) ?? []))
  const checks = [...new Map(everyCheck.map(check => [`${check.other} ${check.minimum}`, check])).values()]
  const set = (key: keyof TextStyle, value: unknown) =>
    store.change(
      root =>
        [...texts].reduce(
          (changed, [id, own]) =>
            own ? setProperties(changed, id, { tokens: own.map(withStyle({ [key]: value })) }) : changed,
          root,
        ),
      { mergeKey: `${key} ${ids.join(' ')}` },
    )
  return (
    <section className="grid gap-3 border-t border-line pt-4">
      <h3 className="text-[0.8125rem] font-semibold">{t('textsInside')}</h3>
      <div role="group" aria-label={t('text')} className="flex gap-1">
        {styleToggles.map(([icon, key, value]) => {
          const isOn = sharedStyle(tokens, key) === value
          return (
            <button
              key={icon}
              type="button"
              aria-label={t(icon)}
              aria-pressed={isOn}
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
        value={sharedStyle(tokens, 'fontFamily') ?? null}
        placeholder={t('standard')}
        onChange={font => set('fontFamily', font)}
        options={fonts}
      />
      <div className="grid grid-cols-2 gap-2">
        {(['fontSize', 'lineHeight'] as const).map(key => (
          <NumberInput
            key={key}
            label={t(key)}
            value={sharedStyle(tokens, key)}
            minimum={key === 'fontSize' ? 6 : 0}
            maximum={96}
            onChange={value => set(key, value)}
          />
        ))}
      </div>
      <ColorInput
        label={t('textColor')}
        value={sharedStyle(tokens, 'color')}
        brandColors={brandColors}
        checks={checks}
        onChange={color => set('color', color)}
      />
    </section>
  )
}
