interface ProgressBarProps {
  readonly label: string
  readonly value: number
  readonly max: number
}

/** Progress of work that has many steps. */
export const ProgressBar = ({ label, value, max }: ProgressBarProps) => {
  const share = max > 0 ? Math.min(1, value / max) : 0
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      className="h-2 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className="h-full rounded-full bg-accent transition-[width] duration-300"
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}
