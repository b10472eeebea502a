import { spawn, type ChildProcess, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { promisify } from 'node:util';

import { until } from './until.js';

/** A Slurm of three nodes on this machine, all of it in one folder: own key, sockets, ports and state. */
export interface SlurmCluster {
  environment: NodeJS.ProcessEnv;
  run(program: string, ...args: string[]): Promise<string>;
  /** Ends a node as a power cut does, and lets Slurm know; what still runs of its jobs is ended by `processes`. */
  loseNode(node: string, processes: readonly number[]): Promise<void>;
  /** Starts its daemon again; fulfilled once it is idle. */
  returnNode(node: string): Promise<void>;
  /** Ends all daemons; fulfilled once they are gone. */
  stop(): Promise<void>;
}

const nodes = ['node1', 'node2', 'node3'];

/** @throws Error with the daemons' logs when the nodes do not get ready */
export async function startSlurm(folder: string): Promise<SlurmCluster> {
  for (const name of ['run', 'log', 'state', ...nodes.map((node) => path.join('spool', node))]) {
    mkdirSync(path.join(folder, name), { recursive: true });
  }
  // munged refuses folders that others may write to, up to the root.
  chmodSync(folder, 0o755);
  const key = path.join(folder, 'munge.key');
  writeFileSync(key, randomBytes(1024), { mode: 0o600 });
  const configuration = path.join(folder, 'slurm.conf');
  writeFileSync(configuration, configurationText(folder, await freePorts(4)));
  const environment = { ...process.env, SLURM_CONF: configuration, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };
  const startNode = (node: string): ChildProcess => start('slurmd', ['-D', '-f', configuration, '-N', node], environment);
  const services = [
    start('munged', mungeArguments(folder, key), environment),
    start('slurmctld', ['-D', '-f', configuration], environment),
  ];
  const daemons = new Map(nodes.map((node) => [node, startNode(node)]));
  const cluster: SlurmCluster = {
    environment,
    run: async (program, ...args) => (await promisify(execFile)(program, args, { env: environment })).stdout,
    loseNode: async (node, processes) => {
      daemons.get(node)?.kill('SIGKILL');
      for (const pid of processes) process.kill(pid, 'SIGKILL');
      await cluster.run('scontrol', 'update', `nodename=${node}`, 'state=down', 'reason=lost');
    },
    returnNode: async (node) => {
      daemons.set(node, startNode(node));
      await cluster.run('scontrol', 'update', `nodename=${node}`, 'state=resume').catch(() => undefined);
      await untilIdle(cluster);
    },
    stop: async () => void (await Promise.all([...services, ...daemons.values()].map(stop))),
  };
  try {
    await untilIdle(cluster);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function untilIdle(cluster: SlurmCluster): Promise<void> {
  await until('all nodes are idle', async () => {
    const states = await cluster.run('sinfo', '--noheader', '--Node', '--format=%N %T').catch(String);
    return nodes.every((node) => states.includes(`${node} idle`));
  });
}

function mungeArguments(folder: string, key: string): string[] {
  const at = (name: string): string => path.join(folder, 'run', name);
  return [
    '--foreground',
    '--force',
    `--key-file=${key}`,
    `--socket=${at('munge.sock')}`,
    `--pid-file=${at('munged.pid')}`,
    `--log-file=${path.join(folder, 'log', 'munged.log')}`,
    `--seed-file=${at('munged.seed')}`,
  ];
}

function configurationText(folder: string, [controller, ...daemons]: number[]): string {
  const user = userInfo().username;
  return [
    'ClusterName=stowage-test',
    'SlurmctldHost=localhost(127.0.0.1)',
    `SlurmctldPort=${controller}`,
    `SlurmUser=${user}`,
    `SlurmdUser=${user}`,
    'AuthType=auth/munge',
    'CredType=cred/munge',
    `AuthInfo=socket=${folder}/run/munge.sock`,
    `StateSaveLocation=${folder}/state`,
    `SlurmdSpoolDir=${folder}/spool/%n`,
    `SlurmctldPidFile=${folder}/run/slurmctld.pid`,
    `SlurmdPidFile=${folder}/run/slurmd-%n.pid`,
    `SlurmctldLogFile=${folder}/log/slurmctld.log`,
    `SlurmdLogFile=${folder}/log/slurmd-%n.log`,
    'ProctrackType=proctrack/linuxproc',
    'TaskPlugin=task/none',
    'MpiDefault=none',
    'ReturnToService=2',
    'SelectType=select/cons_tres',
    'SlurmdParameters=config_overrides',
    'JobAcctGatherType=jobacct_gather/none',
    ...nodes.map(
      (node, index) => `NodeName=${node} NodeHostname=localhost NodeAddr=127.0.0.1 Port=${daemons[index]} CPUs=2 State=UNKNOWN`,
    ),
    `PartitionName=all Nodes=${nodes.join(',')} Default=YES State=UP OverSubscribe=FORCE`,
    '',
  ].join('\n');
}

function start(program: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(program, args, { env, stdio: 'ignore' });
  child.on('error', () => undefined);
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  if (isOver()) return;
  const over = once(child, 'exit');
  child.kill('SIGTERM');
  await over;
}

/** Free ports of the loopback address. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
