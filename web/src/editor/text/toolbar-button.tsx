import type { Ref } from 'react'
import { classes } from '#ui/base/classes.ts'
import { EditorIcon, type EditorIconName } from '../editor-icon.tsx'

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
