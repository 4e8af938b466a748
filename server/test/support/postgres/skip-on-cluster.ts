import { beforeEach } from 'vitest'
import { notOnCluster } from './not-on-cluster.ts'
import { runsOnCluster } from './test-cluster.ts'

beforeEach(({ task, skip }) => {
  if (!runsOnCluster) return
  const entry = notOnCluster.find(({ file, test }) => task.file.filepath.endsWith(file) && task.name === test)
  if (entry) skip(entry.reason)
})
