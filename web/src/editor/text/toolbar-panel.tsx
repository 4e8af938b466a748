// A button of the toolbar with a panel: the colour or the link of the selected words.
import type { Token } from '@signoff/render'
import { type Ref, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { PopoverPanel } from '#ui/overlay/popover-panel.tsx'
import { ColorInput } from '../inputs/color-input.tsx'
import { useInspector } from '../inputs/inspector-data.ts'
import { LinkField } from '../inputs/link-field.tsx'
import { useEditorState } from '../kit/editor-context.ts'
import { EditorIcon } from '../kit/editor-icon.tsx'
import type { EditorIconName } from '../kit/editor-outlines.ts'
import { surfaceOf, textChecks } from '../model/contrast.ts'
import { sharedHref, sharedStyle, withHref, withStyle } from '../model/token-styles.ts'
import { blockOf } from '../model/tree.ts'
import type { TextPanel, TextSession } from './text-session.ts'
import { changeTokens } from './token-commands.ts'
import { stepMeta } from './undo-steps.ts'

interface ToolbarPanelProps {
  readonly icon: 'paintbrush' | 'link'
  readonly label: string
  readonly panel: TextPanel
  readonly session: TextSession
  /** Those that are selected. */
  readonly tokens: readonly Token[]
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly isPressed?: boolean
  readonly swatch?: string | undefined
  /** The tooltip; without it the label. */
  readonly hint?: string
}

function PanelContent({ panel, session, tokens }: Pick<ToolbarPanelProps, 'panel' | 'session' | 'tokens'>) {
  const t = useTranslations('editor.inspector')
  const { brandColors } = useInspector()
  const { tree } = useEditorState()
  const block = blockOf(tree, session.id)
  const change = (changeToken: (token: Token) => Token, step: string) => {
    const { view } = session
    view.dispatch(changeTokens(view.state, changeToken).setMeta(stepMeta, step))
  }
  if (panel === 'color')
    return (
      <ColorInput
        label={t('textColor')}
        value={sharedStyle(tokens, 'color')}
        brandColors={brandColors}
        checks={block ? textChecks(surfaceOf(tree, block), block, tokens) : []}
        onChange={color => change(withStyle({ color }), 'color')}
      />
    )
  return (
    <LinkField
      label={t('linkKind')}
      value={sharedHref(tokens)}
      isAddressFirst
      onChange={href => change(withHref(href), 'href')}
    />
  )
}

const gap = 8

/** The panel stands below the text, so that a person sees what changes. */
function offsetBelow({ view }: TextSession, button: HTMLElement | null): number {
  const below = view.dom.getBoundingClientRect().bottom - (button?.getBoundingClientRect().bottom ?? 0)
  return Math.max(0, below) + gap
}

export function ToolbarPanel(props: ToolbarPanelProps) {
  const { icon, label, panel, session, tokens, isOpen, onOpen, isPressed, swatch, hint } = props
  const t = useTranslations('editor.textTools')
  const button = useRef<HTMLButtonElement>(null)
  const close = () => session.openPanel(undefined)
  return (
    <>
      <ToolbarButton
        ref={button}
        icon={icon}
        label={label}
        isPressed={isPressed}
        isOpen={isOpen}
        onPress={onOpen}
        swatch={swatch}
        hint={hint}
      />
      {isOpen && (
        <PopoverPanel
          label={label}
          triggerRef={button}
          offset={offsetBelow(session, button.current)}
          onClose={close}
        >
          {/* Values are taken while they are typed: Enter only closes the panel. */}
          <form
            className="grid w-68 max-w-full gap-3 p-2"
            onSubmit={event => {
              event.preventDefault()
              close()
            }}
          >
            <PanelContent panel={panel} session={session} tokens={tokens} />
            <Button isSmall type="submit" className="justify-self-end">
              {t('done')}
            </Button>
          </form>
        </PopoverPanel>
      )}
    </>
  )
}

interface ToolbarButtonProps {
  readonly icon: EditorIconName
  readonly label: string
  readonly onPress: () => void
  /** Undefined for buttons that are not switched on and off. */
  readonly isPressed?: boolean | undefined
  /** Undefined for buttons without a panel. */
  readonly isOpen?: boolean
  /** The colour that the button stands for. */
  readonly swatch?: string | undefined
  /** The tooltip; without it the label. */
  readonly hint?: string | undefined
  readonly ref?: Ref<HTMLButtonElement>
}

export const ToolbarButton = ({
  icon,
  label,
  onPress,
  isPressed,
  isOpen,
  swatch,
  hint = label,
  ref,
}: ToolbarButtonProps) => (
  <span className="tooltip inline-grid" data-tooltip={hint}>
    <button
      ref={ref}
      type="button"
      aria-label={label}
      aria-pressed={isPressed}
      {...(isOpen !== undefined && { 'aria-haspopup': 'dialog' as const, 'aria-expanded': isOpen })}
      // The text keeps the focus and its selection.
      onMouseDown={event => event.preventDefault()}
      onClick={onPress}
      className={classes(
        'grid size-9 place-items-center rounded-lg focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent',
        isPressed || isOpen ? 'bg-accent-soft text-accent' : 'hover:bg-sunken',
      )}
    >
      <EditorIcon name={icon} />
      {swatch !== undefined && (
        <span className="-mt-2 h-1 w-4 rounded-full border border-edge/50" style={{ background: swatch }} />
      )}
    </button>
  </span>
)
