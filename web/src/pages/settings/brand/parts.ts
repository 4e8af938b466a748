import type { Brand } from '@signoff/sdk'

/** What every card of the page gets. */
export interface BrandPartProps {
  readonly draft: Brand
  readonly change: (values: Partial<Brand>) => void
  readonly isReadOnly: boolean
}
