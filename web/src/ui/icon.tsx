import type { SVGProps } from 'react'
import { outlines } from './outlines.ts'

export type IconName = keyof typeof outlines

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'name'> {
  readonly name: IconName
  readonly size?: number
}

/** Decoration: the control around it carries the name. */
export const Icon = ({ name, size = 16, className = '', ...rest }: IconProps) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    className={`shrink-0 ${className}`}
    {...rest}
  >
    <path d={outlines[name]} />
  </svg>
)
