/** Programs outside of the table that are known to run what follows them. */
const LAUNCHERS = new Set(
  (
    'setpriv unshare nsenter firejail bwrap proot fakeroot fakechroot dbus-run-session xvfb-run chrt numactl prlimit runuser sg ' +
    'pkexec gosu su-exec tini dumb-init direnv asdf mise rtx uv poetry pdm hatch pipenv bundle rake dotenv cross-env concurrently ' +
    'nodemon entr script expect unbuffer rlwrap ltrace gdb lldb perf valgrind hyperfine watchexec at batch systemd-run machinectl ' +
    'lxc lxc-attach vagrant screen tmux tsx ts-node ts-node-esm deno bun corepack lerna nx turbo rush just task ninja bazel gradle ' +
    'mvn ant meson rustup rbenv pyenv nvm volta conda mamba micromamba nix nix-shell guix flatpak snap distrobox toolbox ' +
    'chronic ts sem pee ifne parallel-ssh pssh pdsh mosh sshpass autossh rsh rlogin fish tcsh csh mksh yash nu xonsh ' +
    'elvish pwsh powershell cmd osascript tclsh lua luajit julia Rscript R ghci runghc scala kotlin groovy swift dotnet mono wine ' +
    'qemu-user qemu-x86_64 ld.so cgexec start-stop-daemon daemonize runit chpst softlimit envdir setuidgid s6-setuidgid ' +
    'catchsegv eatmydata faketime torsocks proxychains proxychains4 cpulimit schedtool uvx pipx npx bunx act k3s nerdctl ctr crictl ' +
    'ansible-playbook terragrunt pulumi'
  ).split(' '),
);

/** True for a program that runs what follows it, or a script of its own. */
export function isLauncher(name: string): boolean {
  return LAUNCHERS.has(name);
}
