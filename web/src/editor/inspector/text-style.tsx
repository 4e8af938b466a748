// The style of the words of a block: of those that are selected while the text is edited, else of all.
import type { TextStyle, Token } from '@signoff/render'
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { idOf, tokensOf } from '#records/content/block.ts'
import { LinkField } from '../inputs/link-field.tsx'
import { useEditor, useEditorState, useEditorValue } from '../kit/editor-context.ts'
import { surfaceOf, textChecks } from '../model/contrast.ts'
import { setProperties } from '../model/operations.ts'
import { haveSameStyleProps, sharedHref, withHref, withStyle } from '../model/token-styles.ts'
import { blockOf, blocksIn } from '../model/tree.ts'
import { type TextSession, useTextSnapshot } from '../text/text-session.ts'
import { StyleInputs } from './style-inputs.tsx'

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

/** The controls for the look of the tokens. Their words are not compared: letters come with every key. */
const StyleFields = memo(function StyleFields({
  id,
  tokens: chosen,
  session,
  hasLinks,
}: TextStyleControlsProps) {
  const t = useTranslations('editor.inspector')
  const { store } = useEditor()
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
  return (
    <div className="grid gap-3">
      <StyleInputs
        tokens={chosen}
        checks={block ? textChecks(surface, block, chosen) : []}
        set={(key, value) => change(withStyle({ [key]: value }), key)}
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
}, haveSameStyleProps)

// The style of all texts in the selected blocks: the font of a whole signature, the colour of a list.

interface SharedTextStyleProps {
  /** The ids of the selected blocks. */
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
