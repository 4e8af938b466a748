// The style of the words of a block: of those that are selected while the text is edited, else of all.
import type { Token } from '@signoff/render'
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { tokensOf } from '#records/content/block.ts'
import { useEditor, useEditorValue } from '../editor-context.ts'
import { setProperties } from '../model/operations.ts'
import { blockOf } from '../model/tree.ts'
import { haveSameLookProps } from '../text/same-look.ts'
import { type TextSession, useTextSnapshot } from '../text/text-session.ts'
import { sharedHref, withHref, withStyle } from '../text/token-styles.ts'
import { surfaceOf, textChecks } from './contrast.ts'
import { LinkField } from './link-field.tsx'
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

/** Of the tokens, only how they look is used: letters come with every key. */
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
}, haveSameLookProps)
