# bash completion for fioreport. Made by `fioreport help --completion bash` from the option table; do not edit.

_fioreport_ask() {
    fioreport help --list "$1" 2>/dev/null
}

_fioreport() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' fixed='' files='' value=1 i
    # readline cuts words at `=`: --option = value.
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        -d | --db | --color) ((i++)) ;;
        -* | =) ;;
        *)
            command=${COMP_WORDS[i]}
            break
            ;;
        esac
    done

    case $command:$prev in
    table:--metric|table:-m|chart:--metric|chart:-m|xlsx:--metric|xlsx:-m) words=$(_fioreport_ask metrics) ;;
    list:--where|list:-w|table:--where|table:-w|chart:--where|chart:-w|xlsx:--where|xlsx:-w) words=$(_fioreport_ask keys) ;;
    table:--rows|chart:--rows|xlsx:--rows) words=$(_fioreport_ask keys) ;;
    table:--cols|chart:--cols|xlsx:--cols) words=$(_fioreport_ask keys) ;;
    table:--group|table:-g|chart:--group|chart:-g|xlsx:--group|xlsx:-g) words=$(_fioreport_ask keys) ;;
    list:--sort|list:-s|table:--sort|table:-s|chart:--sort|chart:-s|xlsx:--sort|xlsx:-s) words=$(_fioreport_ask keys) ;;
    table:--baseline|table:-b|chart:--baseline|chart:-b|xlsx:--baseline|xlsx:-b) words=$(_fioreport_ask labels) ;;
    table:--baseline-value|chart:--baseline-value|xlsx:--baseline-value) return ;;
    table:--units|table:-u|chart:--units|chart:-u|xlsx:--units|xlsx:-u) fixed='auto iec si' ;;
    table:--digits|chart:--digits|xlsx:--digits) return ;;
    table:--title|chart:--title|xlsx:--title) return ;;
    chart:--x) words=$(_fioreport_ask keys) ;;
    chart:--kind|chart:-k) words=$(_fioreport_ask kinds) ;;
    chart:--output|chart:-o|xlsx:--output|xlsx:-o) files=1 ;;
    list:--format|list:-f|show:--format|show:-f|table:--format|table:-f|sql:--format|sql:-f|metrics:--format|metrics:-f|formats:--format|formats:-f) words=$(_fioreport_ask dialects) ;;
    chart:--theme) fixed='light dark print' ;;
    chart:--width) return ;;
    chart:--height) return ;;
    chart:--scale) return ;;
    chart:--axes) fixed='auto shared free' ;;
    chart:--subtitle) return ;;
    ingest:--label|ingest:-l|list:--label|list:-l|show:--label|show:-l|table:--label|table:-l|chart:--label|chart:-l|xlsx:--label|xlsx:-l|sql:--label|sql:-l) return ;;
    ingest:--name-pattern|list:--name-pattern|show:--name-pattern|table:--name-pattern|chart:--name-pattern|xlsx:--name-pattern|sql:--name-pattern) return ;;
    ingest:--tag|ingest:-t|list:--tag|list:-t|show:--tag|show:-t|table:--tag|table:-t|chart:--tag|chart:-t|xlsx:--tag|xlsx:-t|sql:--tag|sql:-t) return ;;
    ingest:--format|ingest:-f) words=$(_fioreport_ask formats) ;;
    list:--input-format|show:--input-format|table:--input-format|chart:--input-format|xlsx:--input-format|sql:--input-format) words=$(_fioreport_ask formats) ;;
    ingest:--join) return ;;
    tag:--label|tag:-l) words=$(_fioreport_ask labels) ;;
    tag:--title) return ;;
    tag:--tag|tag:-t) return ;;
    help:--completion) fixed='bash zsh fish' ;;
    help:--list) fixed='commands dialects formats keys kinds labels metrics options' ;;
    *:--db|*:-d) files=1 ;;
    *:--color) fixed='auto always never' ;;
    *) value= ;;
    esac
    if [[ -z $value && $cur == -* ]]; then
        case $command in
        ingest) fixed='-l --label --name-pattern -t --tag -f --format --join -r --recursive --explain --force --replace -n --dry-run -d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        list) fixed='-w --where -s --sort -f --format -l --label --name-pattern -t --tag --input-format -r --recursive --explain -d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        show) fixed='-f --format -l --label --name-pattern -t --tag --input-format -r --recursive --explain -d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        rm) fixed='-d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        tag) fixed='-l --label --title -t --tag -d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        table) fixed='-m --metric -w --where --rows --cols -g --group -s --sort -b --baseline --baseline-value --geomean -u --units --digits --title -f --format -l --label --name-pattern -t --tag --input-format -r --recursive --explain -d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        chart) fixed='-m --metric -w --where --rows --cols -g --group -s --sort -b --baseline --baseline-value --geomean -u --units --digits --title --x -k --kind -o --output --theme --width --height --scale --log --axes --subtitle --force -l --label --name-pattern -t --tag --input-format -r --recursive --explain -d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        xlsx) fixed='-m --metric -w --where --rows --cols -g --group -s --sort -b --baseline --baseline-value --geomean -u --units --digits --title -o --output --force -l --label --name-pattern -t --tag --input-format -r --recursive --explain -d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        sql) fixed='-f --format -l --label --name-pattern -t --tag --input-format -r --recursive --explain -d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        metrics) fixed='-f --format -d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        formats) fixed='-f --format -d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        help) fixed='--man --completion --list -d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        *) fixed='-d --db -q --quiet -v --verbose --color -h --help -V --version' ;;
        esac
    elif [[ -z $value && -z $command ]]; then
        fixed='ingest list show rm tag table chart xlsx sql metrics formats help'
    elif [[ -z $value ]]; then
        case $command in
        ingest) files=1 ;;
        list) files=1 ;;
        show) words=$(_fioreport_ask labels); files=1 ;;
        rm) words=$(_fioreport_ask labels); files=1 ;;
        tag) words=$(_fioreport_ask labels); files=1 ;;
        table) files=1 ;;
        chart) files=1 ;;
        xlsx) files=1 ;;
        help) words=$(_fioreport_ask commands) ;;
        esac
    fi

    # The last one of a list separated by commas.
    local before=''
    if [[ -n $value && $cur == *,* ]]; then
        before=${cur%,*},
        cur=${cur##*,}
    fi
    # No compgen -W: it would expand what a label says.
    [[ -n $fixed ]] && words=${fixed// /$'\n'}
    COMPREPLY=()
    while IFS= read -r i; do
        if [[ -n $i && $i == "$cur"* ]]; then
            [[ -n $files ]] || printf -v i %q "$i"
            COMPREPLY+=("$before$i")
        fi
    done <<<"$words"
    if [[ -n $files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r i; do
            COMPREPLY+=("$i")
        done < <(compgen -f -- "$cur")
    fi
}

complete -F _fioreport fioreport
