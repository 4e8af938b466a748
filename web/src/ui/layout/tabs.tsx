// Tabs that are pages: each has its own address.
import { Link } from '@tanstack/react-router'

interface TabLink {
  readonly to: string
  readonly label: string
  readonly isExact?: boolean
}

export const TabLinks = ({
  label,
  links,
}: {
  readonly label: string
  readonly links: readonly TabLink[]
}) => (
  <nav aria-label={label} className="-mx-1 mb-6 flex gap-1 overflow-x-auto border-b border-line px-1">
    {links.map(({ to, label: text, isExact = true }) => (
      <Link
        key={to}
        to={to}
        activeOptions={{ exact: isExact, includeSearch: false }}
        className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-muted hover:text-ink data-[status=active]:border-accent data-[status=active]:text-ink"
      >
        {text}
      </Link>
    ))}
  </nav>
)
