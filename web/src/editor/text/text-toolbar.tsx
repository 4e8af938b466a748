// The toolbar above the text while it is edited.
import type { Href, TextStyle, Token } from '@signoff/render'
import { type KeyboardEvent, memo, useRef, useSyncExternalStore } from 'react'
import { Toolbar } from 'react-aria-components/Toolbar'
import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'
import { NumberInput } from '../inputs/number-input.tsx'
import { useEditor } from '../kit/editor-context.ts'
import { useFloating } from '../kit/floating.ts'
import { keepsTextOpen } from '../kit/focus.ts'
import { haveSameStyleProps, sharedStyle, styleToggles, withStyle } from '../model/token-styles.ts'
import { openFieldMenu } from './menu-state.ts'
import { type TextPanel, type TextSession, useTextSnapshot } from './text-session.ts'
import { changeTokens, linkAtSelection, selectedTokens, selectLinkAtCursor } from './token-commands.ts'
import { ToolbarButton, ToolbarPanel } from './toolbar-panel.tsx'
import { stepMeta } from './undo-steps.ts'

const Line = () => <span aria-hidden="true" className="mx-0.5 h-5 w-px bg-line" />

const isStyled = (tokens: readonly Token[], key: keyof TextStyle, value: string): boolean =>
  tokens.length > 0 && tokens.every(({ textStyle }) => textStyle?.[key] === value)

interface ToolbarProps {
  readonly session: TextSession
  readonly tokens: readonly Token[]
}

interface LinkToolProps extends ToolbarProps {
  /** The target of the link at the cursor; undefined without one. Mails draw links like other words. */
  readonly link: string | undefined
}

/** Changes of the same part of the style in a row are one step of undo. */
function setStyle({ view }: TextSession, key: keyof TextStyle, value: unknown): void {
  view.dispatch(changeTokens(view.state, withStyle({ [key]: value })).setMeta(stepMeta, key))
}

function StyleButtons({ session, tokens }: ToolbarProps) {
  const t = useTranslations('editor.inspector')
  return (
    <>
      {styleToggles.map(([icon, key, value]) => {
        const isOn = isStyled(tokens, key, value)
        return (
          <ToolbarButton
            key={icon}
            icon={icon}
            label={t(icon)}
            isPressed={isOn}
            onPress={() => setStyle(session, key, isOn ? undefined : value)}
          />
        )
      })}
      <div className="w-16">
        <NumberInput
          label={t('fontSize')}
          isLabelHidden
          value={sharedStyle(tokens, 'fontSize')}
          minimum={6}
          maximum={96}
          placeholder="14"
          onChange={size => setStyle(session, 'fontSize', size)}
        />
      </div>
    </>
  )
}

function PanelButtons({ session, tokens, link }: LinkToolProps) {
  const t = useTranslations('editor.textTools')
  const panel = useSyncExternalStore(session.subscribe, () => session.getSnapshot().panel)
  const color = sharedStyle(tokens, 'color')
  const open = (opened: TextPanel) => {
    const { view } = session
    const selected = opened === 'link' ? selectLinkAtCursor(view.state) : undefined
    if (selected) view.dispatch(selected)
    session.openPanel(opened)
  }
  return (
    <>
      <ToolbarPanel
        icon="paintbrush"
        label={t('color')}
        panel="color"
        session={session}
        tokens={tokens}
        isOpen={panel === 'color'}
        onOpen={() => open('color')}
        swatch={color}
      />
      {session.hasLinks && (
        <ToolbarPanel
          icon="link"
          label={t('link')}
          panel="link"
          session={session}
          tokens={tokens}
          isOpen={panel === 'link'}
          onOpen={() => open('link')}
          isPressed={link !== undefined}
          {...(link && { hint: t('linkTo', { address: link }) })}
        />
      )}
    </>
  )
}

/** Letters change nothing here, so they draw nothing here. */
const Tools = memo(function Tools({ session, tokens, link }: LinkToolProps) {
  const t = useTranslations('editor.textTools')
  const { store } = useEditor()
  const { view } = session
  const insertField = () => {
    view.focus()
    view.dispatch(openFieldMenu(view.state))
  }
  return (
    <Toolbar aria-label={t('toolbar')} className="flex flex-wrap items-center gap-0.5">
      <StyleButtons session={session} tokens={tokens} />
      <Line />
      <PanelButtons session={session} tokens={tokens} link={link} />
      <ToolbarButton icon="braces" label={t('insertField')} onPress={insertField} />
      <Line />
      <ToolbarButton icon="check" label={t('done')} onPress={() => store.edit(undefined)} />
    </Toolbar>
  )
}, haveSameStyleProps)

const linkText = (href: Href | undefined): string | undefined => href && (href.text ?? '')

export function TextToolbar({ session }: { readonly session: TextSession }) {
  const snapshot = useTextSnapshot(session)
  const bar = useRef<HTMLDivElement>(null)
  const { view } = session
  const position = useFloating({
    element: bar,
    anchor: () => view.dom.parentElement?.getBoundingClientRect(),
    preferred: 'above',
    // The pane that scrolls the canvas is observed: it changes when the text grows.
    version: session,
  })
  const tokens = snapshot ? selectedTokens(snapshot.state) : []
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // The keys of the editor would end the selection.
    event.stopPropagation()
    view.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons inside it
    <div
      ref={bar}
      data-text-toolbar=""
      data-side={position?.side}
      {...keepsTextOpen}
      onKeyDown={press}
      className={classes(
        'fixed z-30 w-max max-w-full rounded-xl border border-line bg-card p-0.5 text-ink shadow-floating',
        !position && 'invisible',
      )}
      style={{ left: position?.left ?? 0, top: position?.top ?? 0 }}
    >
      <Tools session={session} tokens={tokens} link={linkText(snapshot && linkAtSelection(snapshot.state))} />
    </div>
  )
}
