/** Options of curl with an argument or an effect. */
export const CURL =
  '-A,--user-agent= -b,--cookie= -c,--cookie-jar=:write -C,--continue-at= -d,--data,--data-ascii=:data --data-binary=:data ' +
  '--data-raw=:data --data-urlencode=:data --json=:data -D,--dump-header=:write -e,--referer= -E,--cert= -F,--form=:data ' +
  '--form-string=:data -T,--upload-file=:data -X,--request=:change -G,--get -H,--header= -K,--config=:unknown -m,--max-time= ' +
  '-o,--output=:write -O,--remote-name:write-null --remote-name-all:write-null -J,--remote-header-name -P,--ftp-port= ' +
  '-Q,--quote=:change -r,--range= -t,--telnet-option= -u,--user= -U,--proxy-user= -w,--write-out= -x,--proxy= -y,--speed-time= ' +
  '-Y,--speed-limit= -z,--time-cond= --trace=:write --trace-ascii=:write --stderr=:write --output-dir= --etag-save=:write ' +
  '--etag-compare=:aside --hsts=:write --alt-svc=:write --libcurl=:write --engine=:unknown --connect-timeout= --retry= ' +
  '--retry-delay= --retry-max-time= --max-redirs= --limit-rate= --interface= --cacert= --capath= --cert-type= --key= --key-type= ' +
  '--pass= --ciphers= --resolve= --connect-to= --url= --proto= --proto-redir= --proto-default= --noproxy= --socks4= --socks4a= ' +
  '--socks5= --socks5-hostname= --preproxy= --proxy-header= --unix-socket= --abstract-unix-socket= --dns-servers= ' +
  '--dns-interface= --dns-ipv4-addr= --dns-ipv6-addr= --doh-url= --max-filesize= --aws-sigv4= --oauth2-bearer= --mail-from= ' +
  '--mail-rcpt= --mail-auth= --parallel-max= --netrc-file= --pinnedpubkey= --rate= --request-target= --url-query= --variable= ' +
  '--keepalive-time= --local-port= --login-options= --pubkey= --crlfile= --curves= --tls-max= --tls13-ciphers= --happy-eyeballs-timeout-ms= ' +
  '--ftp-account= --ftp-alternative-to-user= --ftp-method= --ftp-ssl-ccc-mode= --haproxy-clientip= --ip-tos= --hostpubmd5= ' +
  '--hostpubsha256= --krb= --delegation= --service-name= --sasl-authzid= --create-file-mode= --expect100-timeout= --tftp-blksize= ' +
  '-h,--help? --random-file= --egd-file= --proxy-cert= --proxy-key= --proxy-pass= --proxy-cacert= --proxy-capath= --ech= --trace-config=';

/** Options of wget with an argument or an effect. */
export const WGET =
  '-O,--output-document=:write -o,--output-file=:write -a,--append-output=:write -P,--directory-prefix= -t,--tries= -T,--timeout= ' +
  '-w,--wait= -Q,--quota= -U,--user-agent= -i,--input-file=:aside -B,--base= -l,--level= -A,--accept= -R,--reject= -D,--domains= ' +
  '-I,--include-directories= -X,--exclude-directories= -e,--execute=:unknown --header= --post-data=:change --post-file=:change ' +
  '--body-data=:change --body-file=:change --method= --load-cookies=:aside --save-cookies=:write --referer= --config=:unknown ' +
  '--use-askpass=:unknown --rejected-log=:write --warc-file=:write --warc-dedup=:aside --warc-tempdir= --ca-certificate= ' +
  '--certificate= --private-key= --bind-address= --limit-rate= --user= --password= --http-user= --http-password= --ftp-user= ' +
  '--ftp-password= --proxy-user= --proxy-password= --dns-timeout= --connect-timeout= --read-timeout= --waitretry= --prefer-family= ' +
  '--local-encoding= --remote-encoding= --default-page= --max-redirect= --cut-dirs= --restrict-file-names= --progress= ' +
  '--secure-protocol= --ciphers= --exclude-domains= --follow-tags= --ignore-tags= --accept-regex= --reject-regex= --regex-type= ' +
  '--hsts-file=:write --compression= --start-pos= --report-speed= --spider';

/** Options of rsync with an argument or an effect. */
export const RSYNC =
  '-e,--rsh=:unknown --rsync-path=:unknown -M,--remote-option=:unknown -f,--filter= --exclude= --include= --exclude-from=:aside ' +
  '--include-from=:aside --files-from=:aside -B,--block-size= -T,--temp-dir= --partial-dir= --backup-dir= --suffix= --bwlimit= ' +
  '--port= --password-file=:aside --log-file=:write --log-file-format= --chmod= --chown= --max-size= --min-size= --max-delete= ' +
  '--timeout= --contimeout= --compare-dest= --copy-dest= --link-dest= --compress-level= --out-format= --info= --debug= ' +
  '--modify-window= --sockopts= --iconv= --write-batch=:write --only-write-batch=:write --read-batch=:aside --address= ' +
  '--skip-compress= --checksum-choice= --compress-choice= --usermap= --groupmap= --stop-after= --stop-at= --outbuf= --protocol= ' +
  '-n,--dry-run --delete,--delete-before,--delete-during,--delete-delay,--delete-after,--delete-excluded,--delete-missing-args,--del ' +
  '--remove-source-files';

/** Options of scp with an argument or an effect. */
export const SCP = '-S=:unknown -o=:unknown -F=:unknown -J=:unknown -D=:unknown -c= -i= -l= -P= -X=';
