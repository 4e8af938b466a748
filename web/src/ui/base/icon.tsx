import type { SVGProps } from 'react'
import { outlines } from './outlines.ts'

export type IconName = keyof typeof outlines

interface SizedProps extends Omit<SVGProps<SVGSVGElement>, 'name' | 'path'> {
  readonly size?: number
}

/** Decoration: the control around it carries the name. */
export const OutlineIcon = ({
  path,
  size = 16,
  className = '',
  ...rest
}: SizedProps & { readonly path: string }) => (
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
    <path d={path} />
  </svg>
)

export const Icon = ({ name, ...rest }: SizedProps & { readonly name: IconName }) => (
  <OutlineIcon path={outlines[name]} {...rest} />
)
