import type { ReactNode } from 'react'

/** A part of the inspector. */
export const InspectorSection = ({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) => (
  <section className="grid gap-3 border-t border-line pt-4">
    <h3 className="text-[0.8125rem] font-semibold">{title}</h3>
    {children}
  </section>
)
