/** The keys of one combination, each in its own frame. */
export const Keys = ({ names }: { readonly names: readonly string[] }) => (
  <span className="flex gap-1">
    {names.map(name => (
      <kbd
        key={name}
        className="min-w-6 rounded-md border border-line bg-sunken px-1.5 py-0.5 text-center font-sans text-xs"
      >
        {name}
      </kbd>
    ))}
  </span>
)
