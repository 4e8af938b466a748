// Copies of databases for the tests, on the PostgreSQL of the run or on every node of its cluster.
import { inject } from 'vitest'
import { query } from './postgres.ts'
import { copyEverywhere, dropEverywhere, runOnNodes } from './test-cluster.ts'

export async function dropDatabase(name: string): Promise<void> {
  const nodes = inject('clusterNodes')
  if (nodes.length > 0) await runOnNodes(dropEverywhere(nodes, name))
  else await query(inject('postgres'), `drop database if exists ${name} with (force)`)
}

/** PostgreSQL copies only a database without sessions. */
export async function copyDatabase(template: string, name: string): Promise<void> {
  const nodes = inject('clusterNodes')
  if (nodes.length > 0) await runOnNodes(copyEverywhere(nodes, template, name))
  // Half of the CPU time of the default strategy, which writes every page to the write-ahead log.
  else await query(inject('postgres'), `create database ${name} template ${template} strategy file_copy`)
}
