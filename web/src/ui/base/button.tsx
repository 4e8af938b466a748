import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: 'bg-accent text-on-accent data-hovered:bg-accent-strong hover:bg-accent-strong shadow-raised',
  secondary:
    'bg-card text-ink border border-edge/50 data-hovered:border-edge hover:border-edge data-hovered:bg-sunken hover:bg-sunken shadow-raised',
  quiet: 'text-ink data-hovered:bg-sunken hover:bg-sunken',
  danger: 'bg-bad text-paper data-hovered:opacity-90 shadow-raised',
}

/** The same look for buttons and for links that act like one. */
export const buttonClasses = (variant: ButtonVariant = 'secondary', isSmall = false): string =>
  classes(
    'inline-flex items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-colors select-none cursor-default',
    'data-disabled:opacity-50 data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-focus-visible:outline-accent',
    isSmall ? 'min-h-7 px-2.5 py-1 text-[0.8125rem]' : 'min-h-9 px-3.5 py-1.5 text-sm',
    variants[variant],
  )

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  readonly variant?: ButtonVariant
  readonly isSmall?: boolean
  readonly icon?: IconName
  readonly className?: string
  readonly children?: ReactNode
}

/**
 * A pending button stays focused and does nothing. The `isPending` of React Aria would announce it by an element without
 * a name.
 */
export const Button = ({ variant, isSmall, icon, className, children, isPending, ...rest }: ButtonProps) => (
  <AriaButton
    {...rest}
    {...(isPending && { onPress: () => undefined, type: 'button' as const })}
    className={classes(buttonClasses(variant, isSmall), isPending && 'opacity-70', className)}
  >
    {isPending ? <Spinner /> : icon && <Icon name={icon} />}
    {children}
  </AriaButton>
)

export const Spinner = () => (
  <span
    aria-hidden="true"
    className="size-4 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
  />
)

interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'aria-label'> {
  readonly icon: IconName
  /** The action of the button: the name for screen readers, and the tooltip. */
  readonly label: string
  readonly className?: string
  readonly variant?: ButtonVariant
}

export const IconButton = ({ icon, label, className, variant = 'quiet', ...rest }: IconButtonProps) => (
  <span className="tooltip inline-grid" data-tooltip={label}>
    <AriaButton
      {...rest}
      aria-label={label}
      className={classes(
        'inline-grid size-8 place-items-center rounded-lg transition-colors data-disabled:opacity-40 data-focus-visible:outline-2 data-focus-visible:outline-accent',
        variant === 'quiet' && 'text-muted',
        variants[variant],
        className,
      )}
    >
      <Icon name={icon} />
    </AriaButton>
  </span>
)

type LinkButtonProps = ComponentProps<typeof Link> & {
  readonly variant?: ButtonVariant
  readonly isSmall?: boolean
  readonly icon?: IconName
  readonly children: ReactNode
}

/** A link to another page that looks like a button. */
export const LinkButton = ({ variant, isSmall, icon, children, className, ...rest }: LinkButtonProps) => (
  <Link {...rest} className={classes(buttonClasses(variant, isSmall), className as string)}>
    {icon && <Icon name={icon} />}
    {children}
  </Link>
)
