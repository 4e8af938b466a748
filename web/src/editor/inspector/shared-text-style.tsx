// The style of all texts in the selected blocks: the font of a whole signature, the colour of a list.
import type { TextStyle } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { idOf, tokensOf } from '#records/content/block.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { setProperties } from '../model/operations.ts'
import { blockOf, blocksIn } from '../model/tree.ts'
import { withStyle } from '../text/token-styles.ts'
import { surfaceOf, textChecks } from './contrast.ts'
import { StyleInputs } from './style-inputs.tsx'

interface SharedTextStyleProps {
  /** Of the blocks that are selected. */
  readonly ids: readonly string[]
}

export function SharedTextStyle({ ids }: SharedTextStyleProps) {
  const t = useTranslations('editor.inspector')
  const { store } = useEditor()
  const { tree } = useEditorState()
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
      <StyleInputs tokens={tokens} checks={checks} set={set} />
    </section>
  )
}
