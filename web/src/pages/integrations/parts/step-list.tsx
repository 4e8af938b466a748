// Steps in another system, in order.
import type { ReactNode } from 'react'

interface Step {
  readonly id: string
  readonly text: ReactNode
  /** A link, a button, or what is pasted there. */
  readonly extra?: ReactNode
}

export const StepList = ({ steps }: { readonly steps: readonly Step[] }) => (
  <ol className="grid gap-5">
    {steps.map(({ id, text, extra }, index) => (
      <li key={id} className="flex gap-3">
        <span
          aria-hidden="true"
          className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
        >
          {index + 1}
        </span>
        <div className="grid min-w-0 flex-1 grid-cols-1 justify-items-start gap-2 pt-0.5 *:max-w-full">
          <p>{text}</p>
          {extra}
        </div>
      </li>
    ))}
  </ol>
)
