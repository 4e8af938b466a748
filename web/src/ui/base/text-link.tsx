import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { searchOf } from '#state/search-of.ts'
import { classes } from './classes.ts'

interface PathLinkProps {
  readonly to: string
  /** The query string: filters of the page. */
  readonly search?: Readonly<Record<string, string>> | undefined
  readonly className?: string
  readonly children: ReactNode
}

/** A link to a page of the dashboard, by its path. */
export const PathLink = ({ to, search, className, children }: PathLinkProps) => (
  <Link to={to} {...(search && { search: searchOf(search) })} className={className ?? ''}>
    {children}
  </Link>
)

/** The same in the colour of links. */
export const TextLink = ({ className, ...rest }: PathLinkProps) => (
  <PathLink
    {...rest}
    className={classes('rounded font-medium text-accent underline-offset-2 hover:underline', className)}
  />
)
